internal import Overmorrow

/// Tells how far a request has come, in all of its attempts: never backwards, and up to the end.
final class ProgressMeter: Sendable {
  private struct State: Equatable {
    var completed: Int64 = -1
    var total: Int64?
  }

  private let state = Guarded(State())
  private let bytes: PromiseProgress
  private let onProgress: NetworkProgressHandler?

  init(_ bytes: PromiseProgress, _ onProgress: NetworkProgressHandler?) {
    self.bytes = bytes
    self.onProgress = onProgress
  }

  /// So many bytes have come or gone. Fewer than before, in another attempt, are not told.
  func advance(to completed: Int64, of total: Int64?) {
    report { state in
      if completed > state.completed { state = State(completed: completed, total: total.map { max($0, completed) }) }
    }
  }

  /// All of the bytes have.
  func finish(at total: Int64) {
    report { state in
      let all = max(total, state.completed)
      state = State(completed: all, total: all)
    }
  }

  private func report(_ change: (inout State) -> Void) {
    let new = state.withLock { state -> State? in
      let before = state
      change(&state)
      return state == before ? nil : state
    }
    guard let new else { return }
    bytes.report(completed: new.completed, of: new.total)
    onProgress?(new.completed, new.total)
  }
}
