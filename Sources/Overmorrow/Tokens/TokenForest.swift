internal import OvermorrowEngine

/// The connections between tokens. A change that concerns several tokens is made under one lock.
///
/// The lock of a single token is taken while this lock is held. No user code runs under either lock, because visited
/// tokens are retained until both locks have been released.
enum TokenForest {
  private static let lock = Guarded(())

  static func connect(_ follower: TokenStorage, to followed: TokenStorage, includingCancel: Bool) {
    let activated = lock.withLock { _ in
      let isIdle = follower.change { relations in
        relations.followed.append(followed, includingCancel: includingCancel)
        return relations.isIdle
      }
      followed.change { $0.followers.append(follower, includingCancel: includingCancel) }
      return isIdle ? [] : markAllActive(followed)
    }
    withExtendedLifetime(activated) {}
  }

  /// Marks an idle token, and all tokens that it follows, as active.
  static func markActive(_ token: TokenStorage) {
    let activated = lock.withLock { _ in markAllActive(token) }
    withExtendedLifetime(activated) {}
  }

  private static func markAllActive(_ first: TokenStorage) -> [TokenStorage] {
    var activated = [first]
    var next = 0
    while next < activated.count {
      activated += activated[next].change { relations in
        defer { relations.isIdle = false }
        return relations.isIdle ? relations.followed.tokens : []
      }
      next += 1
    }
    return activated
  }

  /// Takes out the lists of a token and of all tokens that follow it, directly or indirectly. The lists of callbacks
  /// are taken out only if `suppressing` is `true`.
  ///
  /// - Returns: The callbacks and promises in these lists.
  static func take(from first: TokenStorage, suppressing: Bool) -> TokenStorage.Taken {
    let (taken, visited) = lock.withLock { _ in
      var visited: [TokenStorage] = []
      guard var (taken, remaining) = first.takeOne(suppressing: suppressing) else {
        return (TokenStorage.Taken(), visited)
      }
      var seen: Set = [ObjectIdentifier(first)]
      while let token = remaining.popLast() {
        visited.append(token)
        guard seen.insert(ObjectIdentifier(token)).inserted,
          let (more, followers) = token.takeOne(suppressing: suppressing)
        else { continue }
        taken += more
        remaining += followers
      }
      return (taken, visited)
    }
    withExtendedLifetime(visited) {}
    return taken
  }
}
