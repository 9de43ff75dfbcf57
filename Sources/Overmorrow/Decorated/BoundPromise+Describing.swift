extension BoundPromise: CustomDebugStringConvertible {
  /// The type of the owner, whether the owner exists, the default context, the token, and the debug description of the
  /// promise.
  public var debugDescription: String {
    let owner = "\(Owner.self), which \(owner == nil ? "no longer exists" : "exists")"
    let token = token.map { ", \($0.debugDescription)" } ?? ""
    return "BoundPromise(of \(owner), default context \(defaultContext)\(token), \(inner.debugDescription))"
  }
}
