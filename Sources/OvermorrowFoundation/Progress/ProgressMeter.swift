internal import Dispatch
internal import Overmorrow
internal import OvermorrowEngine
internal import OvermorrowFlow

/// Reports the progress of a request over all its attempts. The number of bytes never decreases. If the request
/// succeeds, the last number equals the total.
///
/// The meter reports the newest state on its own queue. A slow handler misses the states in between, and delays later
/// reports and the end of the request. The handler does not delay the transfer.
final class ProgressMeter: Sendable {
  private struct State {
    var completed: Int64 = -1
    var total: Int64?
  }

  private let state = Guarded(State())
  private let reports = SerialDelivery()
  private let bytes: PromiseProgress
  private let onProgress: NetworkProgressHandler?
  private let queue = DispatchQueue(label: "overmorrow.network.request", qos: .utility)

  init(_ bytes: PromiseProgress, _ onProgress: NetworkProgressHandler?) {
    self.bytes = bytes
    self.onProgress = onProgress
  }

  /// Records the number of bytes received or sent. A number that is not larger than the last number, for example from a
  /// new attempt, is ignored.
  func advance(to completed: Int64, of total: Int64?) {
    let isFirst = state.withLock { state -> Bool in
      guard completed > state.completed else { return false }
      state = State(completed: completed, total: total.map { max($0, completed) })
      return reports.request()
    }
    if isFirst { afterReports { self.report() } }
  }

  /// Records and reports that all bytes have been received or sent. Must be called on the meter's queue.
  func finish(at total: Int64) {
    state.withLock { state in
      let all = max(total, state.completed)
      if state.completed != all || state.total != all { _ = reports.request() }
      state = State(completed: all, total: all)
    }
    report()
  }

  /// Runs a closure on the meter's queue, after the reports that have been requested before this call.
  func afterReports(_ body: @escaping @Sendable () -> Void) { queue.async(execute: HandOverCount.counted(body)) }

  private func report() {
    guard let new = state.withLock({ reports.take() ? $0 : nil }) else { return }
    bytes.report(completed: new.completed, ofExactly: new.total)
    onProgress?(new.completed, new.total)
  }
}
