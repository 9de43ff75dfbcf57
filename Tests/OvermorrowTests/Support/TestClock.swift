import Synchronization
import Testing

@testable import Overmorrow

/// A clock that stands still until the test advances it.
final class TestClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration = .zero

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let id: Int
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant()
    var nextID = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    /// Told whenever a sleeper has come or gone.
    var watchers: [(count: Int, latch: Latch)] = []

    mutating func tellWatchers() {
      for watcher in watchers where watcher.count == sleepers.count { watcher.latch.signal() }
      watchers.removeAll { $0.count == sleepers.count }
    }
  }

  private let state = Guarded(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .nanoseconds(1) }

  /// How many tasks are asleep on this clock.
  var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isAsleep = state.withLock { state in
          if state.cancelled.remove(id) != nil || deadline <= state.now { return false }
          state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
          state.tellWatchers()
          return true
        }
        if isAsleep { return }
        if Task.isCancelled { continuation.resume(throwing: CancellationError()) } else { continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        defer { state.tellWatchers() }
        return state.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Waits until so many tasks are asleep on this clock.
  func waitForSleepers(_ count: Int) async {
    let latch = Latch()
    state.withLock { state in
      if state.sleepers.count == count { latch.signal() } else { state.watchers.append((count, latch)) }
    }
    await latch.wait(for: "\(count) sleepers on the test clock")
  }

  /// Moves the time on, and wakes whoever is due, the earliest first.
  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.deadline <= state.now }.sorted { $0.deadline < $1.deadline }
      state.sleepers.removeAll { $0.deadline <= state.now }
      state.tellWatchers()
      return due
    }
    for sleeper in due { sleeper.continuation.resume() }
  }
}
