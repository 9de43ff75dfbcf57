@testable import Overmorrow

/// A variable that callbacks may share.
final class Holder<Value: Sendable>: Sendable {
  private let stored: Guarded<Value?>

  init(_ value: Value? = nil) { stored = Guarded(value) }

  /// What is replaced goes after the lock has been let go.
  var value: Value? {
    get { stored.withLock { $0 } }
    set {
      let old = stored.withLock { stored in
        defer { stored = newValue }
        return stored
      }
      withExtendedLifetime(old) {}
    }
  }
}
