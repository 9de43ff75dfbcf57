/// Which tokens a token follows, and which follow it.
struct TokenRelations: Sendable {
  var followers = WeakTokens()
  var followed = WeakTokens()
  /// Nothing has been registered with this token, or with one that follows it, since it was invalidated last. What is
  /// quiet need not be invalidated again: so a chain of tokens that ends from the top is walked once and not once for each.
  ///
  /// Never so for a token that follows none. Whoever registers something with a quiet token wakes it first, and all that it
  /// follows (`TokenForest`).
  var isIdle = false
}

/// Tokens that are not kept. It is told of those that end, and forgets them.
struct WeakTokens: Sendable {
  private struct Entry: Sendable {
    weak let token: TokenStorage?
    let includingCancel: Bool
  }

  private var entries: [Entry] = []
  /// How many have ended since the list was swept.
  private var ended = 0

  var isEmpty: Bool { entries.isEmpty }
  /// With those that have ended and wait to be swept.
  var count: Int { entries.count }
  var tokens: [TokenStorage] { entries.compactMap(\.token) }

  /// - Parameter isCancel: Whether only those count that follow a `cancelWithoutInvalidating`.
  func tokens(forCancel isCancel: Bool) -> [TokenStorage] {
    entries.compactMap { !isCancel || $0.includingCancel ? $0.token : nil }
  }

  mutating func append(_ token: TokenStorage, includingCancel: Bool) {
    entries.append(Entry(token: token, includingCancel: includingCancel))
  }

  /// A token of the list has ended. The list is swept when that may halve it: a constant for each token.
  ///
  /// - Returns: The tokens that were looked at. They may end when the caller lets go of them.
  mutating func tokenDidEnd() -> [TokenStorage] {
    ended += 1
    guard ended >= max(8, entries.count / 2) else { return [] }
    let alive = entries.map(\.token)
    entries = zip(entries, alive).compactMap { entry, token in token == nil ? nil : entry }
    ended = 0
    return alive.compactMap { $0 }
  }
}
