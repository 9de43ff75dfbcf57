struct TokenRelations: Sendable {
  var followers = WeakTokens()
  var followed = WeakTokens()
  /// Whether nothing has been registered with this token, or with a token that follows it, since the last invalidation
  /// of this token. An invalidation skips an idle token. So if tokens form a row in which each token follows the
  /// previous one, and the tokens end one by one from the first, their invalidations visit each token only once.
  ///
  /// Always `false` for a token that follows no other token. A registration with an idle token first marks the token,
  /// and all tokens that it follows, as active (`TokenForest`).
  var isIdle = false
}

/// A list of weak references to tokens. When a token ends, it notifies the list. A later sweep of the list removes the
/// entry.
struct WeakTokens: Sendable {
  private struct Entry: Sendable {
    weak let token: TokenStorage?
    let includingCancel: Bool
  }

  private var entries: [Entry] = []
  /// The number of tokens that have ended since the last sweep.
  private var ended = 0

  var isEmpty: Bool { entries.isEmpty }
  /// The number of entries, including the entries of ended tokens that no sweep has removed yet.
  var count: Int { entries.count }
  var tokens: [TokenStorage] { entries.compactMap(\.token) }

  /// - Parameter isCancel: Whether to return only tokens whose connection includes `cancelWithoutInvalidating()`.
  func tokens(forCancel isCancel: Bool) -> [TokenStorage] {
    entries.compactMap { !isCancel || $0.includingCancel ? $0.token : nil }
  }

  mutating func append(_ token: TokenStorage, includingCancel: Bool) {
    entries.append(Entry(token: token, includingCancel: includingCancel))
  }

  /// Records that a token of the list has ended. The list is swept when at least half of its tokens, and at least
  /// eight, have ended. So the amortised cost of each token is constant.
  ///
  /// - Returns: The tokens that a sweep has visited. A token may end when the caller releases it, so the caller must
  ///   not release these tokens under a lock.
  mutating func tokenDidEnd() -> [TokenStorage] {
    ended += 1
    guard ended >= max(8, entries.count / 2) else { return [] }
    let alive = entries.map(\.token)
    entries = zip(entries, alive).compactMap { entry, token in token == nil ? nil : entry }
    ended = 0
    return alive.compactMap { $0 }
  }
}
