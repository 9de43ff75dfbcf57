/// Counts how many of its objects are alive, to see that nothing is leaked, and tells when one goes.
package final class Tracker: Sendable {
  private let alive = Counter()

  package init() {}

  /// How many objects there are.
  package var count: Int { alive.count }

  /// A new object; `onDeinit` runs when it goes.
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
  /// A callback that keeps a new object as long as it is there; `onDeinit` runs when that goes.
  package func callback<T>(
    _ body: @escaping @Sendable (T) -> Void = { _ in }, onDeinit: @escaping @Sendable () -> Void = {}
  ) -> @Sendable (T) -> Void {
    let object = make(onDeinit: onDeinit)
    return { value in withExtendedLifetime(object) { body(value) } }
  }

  /// The same, for operators whose callback is given nothing.
  package func callback(
    _ body: @escaping @Sendable () -> Void = {}, onDeinit: @escaping @Sendable () -> Void = {}
  ) -> @Sendable () -> Void {
    let object = make(onDeinit: onDeinit)
    return { withExtendedLifetime(object) { body() } }
  }
}
