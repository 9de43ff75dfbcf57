extension PromiseCompletionOrder: CustomDebugStringConvertible {
  /// The types of the promises, and the numbers of resolved promises and of all promises.
  public var debugDescription: String {
    let resolved = promises.count { $0.isResolved }
    return "PromiseCompletionOrder<\(Value.self), \(Failure.self)>(\(resolved) of \(promises.count) promises resolved)"
  }
}
