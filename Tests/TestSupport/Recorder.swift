internal import Overmorrow
internal import OvermorrowEngine

/// A log that any thread may append to.
package final class Recorder<Entry: Sendable>: Sendable {
  private let log = Guarded<[Entry]>([])

  package init() {}

  package func record(_ entry: Entry) { log.withLock { $0.append(entry) } }

  package var entries: [Entry] { log.withLock { $0 } }

  /// Removes and returns all entries.
  package func takeAll() -> [Entry] {
    log.withLock { log in
      defer { log = [] }
      return log
    }
  }

  /// Removes all entries and releases them after the lock is released.
  package func removeAll() { withExtendedLifetime(takeAll()) {} }
}

/// The largest number recorded so far.
package final class Maximum: Sendable {
  private let largest = Guarded(0)

  package init() {}

  package var value: Int { largest.withLock { $0 } }

  package func record(_ count: Int) { largest.withLock { $0 = max($0, count) } }
}

/// A variable that callbacks on several threads may share.
package final class Holder<Value: Sendable>: Sendable {
  private let stored: Guarded<Value?>

  package init(_ value: Value? = nil) { stored = Guarded(value) }

  /// The previous value is released after the lock has been released.
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

  /// Removes and returns the value.
  package func take() -> Value? {
    stored.withLock { stored in
      defer { stored = nil }
      return stored
    }
  }
}
