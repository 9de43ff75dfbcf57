/// Counts the objects that are alive, to detect leaks, and runs a closure when one is deinitialized.
package final class Tracker: Sendable {
  private let alive = Counter()

  package init() {}

  /// The number of objects alive.
  package var count: Int { alive.count }

  /// Makes a new object. `onDeinit` runs when it is deinitialized.
  package func make(onDeinit: @escaping @Sendable () -> Void = {}) -> Tracked { Tracked(self, onDeinit) }

  package final class Tracked: Sendable {
    private let tracker: Tracker
    private let onDeinit: @Sendable () -> Void

    fileprivate init(_ tracker: Tracker, _ onDeinit: @escaping @Sendable () -> Void) {
      self.tracker = tracker
      self.onDeinit = onDeinit
      tracker.alive.increment()
    }

    deinit {
      onDeinit()
      tracker.alive.increment(by: -1)
    }
  }
}

extension Tracker {
  /// Returns a callback that retains a new object. `onDeinit` runs when the object is deinitialized.
  package func callback<T>(
    _ body: @escaping @Sendable (T) -> Void = { _ in }, onDeinit: @escaping @Sendable () -> Void = {}
  ) -> @Sendable (T) -> Void {
    let object = make(onDeinit: onDeinit)
    return { value in withExtendedLifetime(object) { body(value) } }
  }

  /// Like the method above, for operators whose callbacks take no argument.
  package func callback(
    _ body: @escaping @Sendable () -> Void = {}, onDeinit: @escaping @Sendable () -> Void = {}
  ) -> @Sendable () -> Void {
    let object = make(onDeinit: onDeinit)
    return { withExtendedLifetime(object) { body() } }
  }
}
