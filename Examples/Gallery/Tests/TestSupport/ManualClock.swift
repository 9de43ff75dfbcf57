import Synchronization

/// A clock whose time does not pass until a test ends all sleeps.
package final class ManualClock: Clock {
  package struct Instant: InstantProtocol {
    var offset: Duration = .zero

    package func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    package func duration(to other: Self) -> Duration { other.offset - offset }
    package static func < (a: Self, b: Self) -> Bool { a.offset < b.offset }
  }

  private struct State {
    var hasRunOut = false
    var nextID = 0
    var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
    var watchers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  package init() {}

  package let now = Instant()
  package let minimumResolution = Duration.nanoseconds(1)

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let watchers: [CheckedContinuation<Void, Never>] = state.withLock { state in
          if state.hasRunOut || deadline <= now {
            continuation.resume()
          } else if Task.isCancelled {
            continuation.resume(throwing: CancellationError())
          } else {
            state.sleepers[id] = continuation
          }
          defer { state.watchers = [] }
          return state.watchers
        }
        for watcher in watchers { watcher.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.resume(throwing: CancellationError())
    }
  }

  /// Waits until a task sleeps on this clock.
  package func waitForSleeper() async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        if state.sleepers.isEmpty {
          state.watchers.append(continuation)
        } else {
          continuation.resume()
        }
      }
    }
  }

  /// Ends all current and future sleeps.
  package func endAllSleeps() {
    let sleepers = state.withLock { state in
      state.hasRunOut = true
      defer { state.sleepers = [:] }
      return state.sleepers.values
    }
    for sleeper in sleepers { sleeper.resume() }
  }
}
