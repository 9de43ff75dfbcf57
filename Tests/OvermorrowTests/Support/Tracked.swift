@testable import Overmorrow

/// Counts how many of its objects are alive, to see that nothing is leaked, and tells when one goes.
final class Tracker: Sendable {
  private let alive = Atomic(0)

  /// How many objects there are.
  var count: Int { alive.load(ordering: .acquiring) }

  /// A new object; `onDeinit` runs when it goes.
  func make(onDeinit: @escaping @Sendable () -> Void = {}) -> Tracked { Tracked(self, onDeinit) }

  final class Tracked: Sendable {
    private let tracker: Tracker
    private let onDeinit: @Sendable () -> Void

    fileprivate init(_ tracker: Tracker, _ onDeinit: @escaping @Sendable () -> Void) {
      self.tracker = tracker
      self.onDeinit = onDeinit
      tracker.alive.add(1, ordering: .acquiringAndReleasing)
    }

    deinit {
      onDeinit()
      tracker.alive.subtract(1, ordering: .acquiringAndReleasing)
    }
  }
}
