/// The tokens that a token follows, and those that follow it.
struct TokenRelations: Sendable {
  var followers = WeakTokens()
  var followed = WeakTokens()
  /// Whether nothing was registered with this token, or with one that follows it, since its last invalidation. An idle
  /// token need not be invalidated again; so when a chain of tokens ends from the top, it is visited once and not once
  /// for each token.
  ///
  /// Always `false` for a token that follows none. A registration with an idle token first marks it, and all that it
  /// follows, as active (`TokenForest`).
  var isIdle = false
}

/// Weakly referenced tokens. Each notifies the list when it ends, and is removed.
struct WeakTokens: Sendable {
  private struct Entry: Sendable {
    weak let token: TokenStorage?
    let includingCancel: Bool
  }

  private var entries: [Entry] = []
  /// The number of tokens that have ended since the last sweep.
  private var ended = 0

  var isEmpty: Bool { entries.isEmpty }
  /// The count includes ended tokens that were not swept yet.
  var count: Int { entries.count }
  var tokens: [TokenStorage] { entries.compactMap(\.token) }

  /// - Parameter isCancel: Whether to return only tokens that follow a `cancelWithoutInvalidating`.
  func tokens(forCancel isCancel: Bool) -> [TokenStorage] {
    entries.compactMap { !isCancel || $0.includingCancel ? $0.token : nil }
  }

  mutating func append(_ token: TokenStorage, includingCancel: Bool) {
    entries.append(Entry(token: token, includingCancel: includingCancel))
  }

  /// A token of the list has ended. The list is swept when that may halve it: a constant cost for each token.
  ///
  /// - Returns: The visited tokens, which may end when the caller releases them.
  mutating func tokenDidEnd() -> [TokenStorage] {
    ended += 1
    guard ended >= max(8, entries.count / 2) else { return [] }
    let alive = entries.map(\.token)
    entries = zip(entries, alive).compactMap { entry, token in token == nil ? nil : entry }
    ended = 0
    return alive.compactMap { $0 }
  }
}
