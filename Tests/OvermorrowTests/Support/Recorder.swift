@testable import Overmorrow

/// What happened, in the order in which it happened, from any thread.
final class Recorder<Entry: Sendable>: Sendable {
  private let log = Guarded<[Entry]>([])

  func record(_ entry: Entry) { log.withLock { $0.append(entry) } }

  var entries: [Entry] { log.withLock { $0 } }
}

/// Counts things from any thread.
final class Counter: Sendable {
  private let value = Atomic(0)

  @discardableResult
  func increment() -> Int { value.add(1, ordering: .acquiringAndReleasing).newValue }

  var count: Int { value.load(ordering: .acquiring) }
}
