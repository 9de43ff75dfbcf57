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
