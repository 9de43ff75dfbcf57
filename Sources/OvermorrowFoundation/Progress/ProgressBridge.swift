internal import Foundation
internal import Overmorrow

/// The `Progress` of a task, once somebody has asked for it, and what it is to show.
final class ProgressBridge: Sendable {
  private struct State {
    var progress: Progress?
    var completed: Int64 = 0
    var total: Int64?
  }

  private let state = Guarded(State())

  /// The one progress, made by the first call.
  func progress(_ make: () -> Progress) -> Progress {
    if let progress = state.withLock({ $0.progress }) { return progress }
    let new = make()
    return state.withLock { state in
      if let progress = state.progress { return progress }
      state.progress = new
      ProgressBridge.show(state.completed, state.total, on: new)
      return new
    }
  }

  func update(_ completed: Int64, _ total: Int64?) {
    let progress = state.withLock { state in
      (state.completed, state.total) = (completed, total)
      return state.progress
    }
    // Outside the lock: whoever observes the progress may ask for it.
    if let progress { ProgressBridge.show(completed, total, on: progress) }
  }

  /// A total that is not known is less than nothing, for `Progress`.
  private static func show(_ completed: Int64, _ total: Int64?, on progress: Progress) {
    progress.totalUnitCount = total ?? -1
    progress.completedUnitCount = completed
  }
}
