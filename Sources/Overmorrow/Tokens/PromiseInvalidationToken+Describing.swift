extension PromiseInvalidationToken: CustomStringConvertible, CustomDebugStringConvertible {
  /// The identity of the token.
  public var description: String { storage.description }

  /// The identity and the content of the token.
  ///
  /// For example, `PromiseInvalidationToken(0x7f1c2a0, 2 promises, 1 token, invalidateOnDeinit: true)`: the number of
  /// unresolved promises that the next invalidation asks to cancel, the number of existing tokens that follow this one,
  /// and whether the token is invalidated when its last copy is released. `dump` lists these promises and tokens.
  public var debugDescription: String {
    let (promises, followers) = storage.contents
    let what = [
      promises.count == 1 ? "1 promise" : "\(promises.count) promises",
      followers.count == 1 ? "1 token" : "\(followers.count) tokens",
      "invalidateOnDeinit: \(storage.invalidateOnDeinit)",
    ]
    return "\(description.dropLast()), \(what.joined(separator: ", ")))"
  }

  /// The length of the token's lists, including resolved or ended entries that were not swept yet.
  package var entryCount: Int { storage.entryCount }
}

extension TokenStorage: CustomStringConvertible {
  var description: String {
    "PromiseInvalidationToken(0x\(String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16)))"
  }
}
