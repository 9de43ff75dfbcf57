internal import Overmorrow

/// What happened, in the order in which it happened, from any thread.
package final class Recorder<Entry: Sendable>: Sendable {
  private let log = Guarded<[Entry]>([])

  package init() {}

  package func record(_ entry: Entry) { log.withLock { $0.append(entry) } }

  package var entries: [Entry] { log.withLock { $0 } }

  /// Takes all entries out.
  package func takeAll() -> [Entry] {
    log.withLock { log in
      defer { log = [] }
      return log
    }
  }

  /// The entries are released after the lock.
  package func removeAll() { withExtendedLifetime(takeAll()) {} }
}

/// The most that was ever seen.
package final class Most: Sendable {
  private let seen = Guarded(0)

  package init() {}

  package var value: Int { seen.withLock { $0 } }

  package func see(_ count: Int) { seen.withLock { $0 = max($0, count) } }
}

/// A variable that callbacks may share.
package final class Holder<Value: Sendable>: Sendable {
  private let stored: Guarded<Value?>

  package init(_ value: Value? = nil) { stored = Guarded(value) }

  /// What is replaced goes after the lock has been let go.
  package var value: Value? {
    get { stored.withLock { $0 } }
    set {
      let old = stored.withLock { stored in
        defer { stored = newValue }
        return stored
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Takes the value out.
  package func take() -> Value? {
    stored.withLock { stored in
      defer { stored = nil }
      return stored
    }
  }
}
