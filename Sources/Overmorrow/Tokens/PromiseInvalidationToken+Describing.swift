extension PromiseInvalidationToken: CustomStringConvertible, CustomDebugStringConvertible {
  /// The identity of the token.
  public var description: String { storage.description }

  /// The identity of the token, and what it holds.
  ///
  /// Such as `PromiseInvalidationToken(0x7f1c2a0, 2 promises, 1 token, invalidateOnDeinit: true)`: how many unresolved
  /// promises the next invalidation asks to cancel, how many tokens that still exist follow this one, and what the
  /// token does when its last copy goes. `dump` tells which promises and tokens they are.
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
