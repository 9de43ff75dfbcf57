internal import Dispatch
internal import Overmorrow

/// Tells how far a request has come, in all of its attempts: never backwards, and up to the end.
///
/// It tells on a queue of its own, the newest state each time: who takes long to hear of it holds up nothing, and
/// misses what came meanwhile.
final class ProgressMeter: Sendable {
  private struct State {
    var completed: Int64 = -1
    var total: Int64?
    var isTold = true
  }

  private let state = Guarded(State())
  private let bytes: PromiseProgress
  private let onProgress: NetworkProgressHandler?
  private let queue = DispatchQueue(label: "overmorrow.network.request", qos: .utility)

  init(_ bytes: PromiseProgress, _ onProgress: NetworkProgressHandler?) {
    self.bytes = bytes
    self.onProgress = onProgress
  }

  /// So many bytes have come or gone. Fewer than before, in another attempt, are not told.
  func advance(to completed: Int64, of total: Int64?) {
    let isFirst = state.withLock { state -> Bool in
      guard completed > state.completed else { return false }
      let isFirst = state.isTold
      state = State(completed: completed, total: total.map { max($0, completed) }, isTold: false)
      return isFirst
    }
    if isFirst { afterwards { self.tell() } }
  }

  /// All of the bytes have. To be called on the queue.
  func finish(at total: Int64) {
    state.withLock { state in
      let all = max(total, state.completed)
      let isNew = state.completed != all || state.total != all
      state = State(completed: all, total: all, isTold: state.isTold && !isNew)
    }
    tell()
  }

  /// Does something on the queue, after what is to be told by now.
  func afterwards(_ body: @escaping @Sendable () -> Void) { queue.async(execute: HandOverCount.counted(body)) }

  private func tell() {
    let new = state.withLock { state -> State? in
      if state.isTold { return nil }
      state.isTold = true
      return state
    }
    guard let new else { return }
    bytes.report(completed: new.completed, of: new.total)
    onProgress?(new.completed, new.total)
  }
}
