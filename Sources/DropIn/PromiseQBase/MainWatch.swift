internal import Dispatch
internal import Foundation
internal import Overmorrow

/// Lets chains begin that were made on the main queue by code that does not return, because it waits for something.
///
/// How long the code takes says nothing: it may have a lot to do, or the machine may. What counts is that its thread
/// waits.
final class MainWatch: Sendable {
  typealias Start = Overmorrow.Promise<Void, Never>

  static let shared = MainWatch()

  private struct State {
    var starts: [Start] = []
    /// Whether the main thread serves the main queue: another one may.
    var isMainThread = true
    /// What the last look has found, and how often in a row; `nil` while no check runs.
    var last: (activity: MainThread.Activity, count: Int)?
  }

  private let state = Guarded(State())

  /// Takes the start of a chain, to be asked to cancel if the code that has made it waits.
  func add(_ start: Start) {
    let isFirst = state.withLock { state in
      state.starts.append(start)
      state.isMainThread = Thread.isMainThread
      defer { state.last = state.last ?? (.runs, 0) }
      return state.last == nil
    }
    if isFirst { lookLater() }
  }

  private func lookLater() {
    DispatchQueue.global(qos: .userInteractive).asyncAfter(deadline: .now() + .milliseconds(50)) { self.look() }
  }

  private func look() {
    // Found out in this order: all of these were made before the wait that is seen twice.
    let (starts, isMainThread) = state.withLock { ($0.starts, $0.isMainThread) }
    if isWaiting(isMainThread ? MainThread.activity : .unknown) {
      for start in starts { start.requestCancel() }
    }
    let (old, goesOn) = state.withLock { state -> ([Start], Bool) in
      // The caller lets go of them: that may be the end of a chain, so it is not done under the lock.
      let old = state.starts
      state.starts = old.filter { $0.result == nil }
      if state.starts.isEmpty { state.last = nil }
      return (old, !state.starts.isEmpty)
    }
    withExtendedLifetime(old) {}
    if goesOn { lookLater() }
  }

  /// Whether a look that finds this tells, after those before it, that the code waits.
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
