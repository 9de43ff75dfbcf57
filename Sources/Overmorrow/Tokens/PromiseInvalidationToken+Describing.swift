extension PromiseInvalidationToken: CustomStringConvertible, CustomDebugStringConvertible {
  /// The identity of the token.
  public var description: String { storage.description }

  /// The identity and the content of the token.
  ///
  /// An example is `PromiseInvalidationToken(0x7f1c2a0, 2 promises, 1 token, invalidateOnDeinit: true)`. The content is
  /// the number of unresolved promises that the next invalidation asks to cancel, the number of existing tokens that
  /// follow this token, and whether the token is invalidated when its last copy is released. `dump` lists these
  /// promises and tokens.
  public var debugDescription: String {
    let (promises, followers) = storage.contents
    let what = [
      promises.count == 1 ? "1 promise" : "\(promises.count) promises",
      followers.count == 1 ? "1 token" : "\(followers.count) tokens",
      "invalidateOnDeinit: \(storage.invalidateOnDeinit)",
    ]
    return "\(description.dropLast()), \(what.joined(separator: ", ")))"
  }

  /// The number of entries in the lists of promises and tokens. An entry of a resolved promise or an ended token counts
  /// until it is swept.
  package var entryCount: Int { storage.entryCount }
}

extension TokenStorage: CustomStringConvertible {
  var description: String {
    "PromiseInvalidationToken(0x\(String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16)))"
  }
}
