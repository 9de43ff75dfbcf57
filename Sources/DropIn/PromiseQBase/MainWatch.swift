internal import Dispatch
internal import Foundation
internal import Overmorrow

/// A watch for chains that were created on the main queue. If the code that created a chain does not return, because
/// that code waits for something, the watch begins the chain.
///
/// The watch does not measure how long the code runs, because a long run may only mean much work or a busy machine. The
/// watch checks whether the thread waits.
final class MainWatch: Sendable {
  typealias Start = Overmorrow.Promise<Void, Never>

  static let shared = MainWatch()

  private struct State {
    var starts: [Start] = []
    /// Whether the first thread of the process serves the main queue. If not, another thread serves the main queue.
    var isMainThread = true
    /// The activity that the last check found, and the number of consecutive checks that found this activity; `nil`
    /// while no check is scheduled.
    var last: (activity: MainThread.Activity, count: Int)?
  }

  private let state = Guarded(State())

  /// Adds the promise for the start of a chain. If the code that created the chain waits, the watch requests the
  /// cancellation of the promise. This request begins the chain.
  func add(_ start: Start) {
    let isFirst = state.withLock { state in
      state.starts.append(start)
      state.isMainThread = Thread.isMainThread
      defer { state.last = state.last ?? (.runs, 0) }
      return state.last == nil
    }
    if isFirst { scheduleCheck() }
  }

  private func scheduleCheck() {
    DispatchQueue.global(qos: .userInteractive).asyncAfter(deadline: .now() + .milliseconds(50)) { self.check() }
  }

  private func check() {
    // The list is copied before the activity is read. So if this check sees the same wait as the check before it, every
    // chain in the list was created before that wait.
    let (starts, isMainThread) = state.withLock { ($0.starts, $0.isMainThread) }
    if isWaiting(isMainThread ? MainThread.activity : .unknown) {
      for start in starts { start.requestCancel() }
    }
    let (old, hasStarts) = state.withLock { state -> ([Start], Bool) in
      // The old list is released outside the lock, because the release of the list may release a chain.
      let old = state.starts
      state.starts = old.filter { $0.result == nil }
      if state.starts.isEmpty { state.last = nil }
      return (old, !state.starts.isEmpty)
    }
    withExtendedLifetime(old) {}
    if hasStarts { scheduleCheck() }
  }

  /// Records an activity, and returns whether this check and the checks before it show that the code that created the
  /// chains waits.
  private func isWaiting(_ activity: MainThread.Activity) -> Bool {
    let count = state.withLock { state in
      var count = 1
      if let last = state.last, last.activity == activity { count += last.count }
      state.last = (activity, count)
      return count
    }
    return switch activity {
    case .runs: false
    case .waits: count > 1
    case .unknown: count > 5
    }
  }
}
