internal import Foundation
internal import Overmorrow

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// An exchange that uses a `URLSessionTask`.
final class SessionExchange: Exchange {
  private struct State {
    /// The task; `nil` until it has been made.
    var task: URLSessionTask?
    var isAbandoned = false
  }

  let order: TransferOrder
  let transfer: Transfer
  let end = TaskEnd()
  private let carrier: FoundationCarrier
  private let state = Guarded(State())

  init(_ order: TransferOrder, by carrier: FoundationCarrier, _ transfer: Transfer) {
    self.order = order
    self.carrier = carrier
    self.transfer = transfer
  }

  /// The task; `nil` until it has been made, which on Linux is after `start()` has returned.
  var task: URLSessionTask? { state.withLock { $0.task } }

  func start() {
    carrier.start { [self] in
      if state.withLock({ $0.isAbandoned }) { return }
      let task = order.makeTask(in: carrier.session)
      carrier.delegate.add(self, task)
      let isWanted = state.withLock { state in
        state.task = task
        return !state.isAbandoned
      }
      // Another thread may have abandoned the exchange while the task was being made.
      if isWanted { task.resume() } else { carrier.delegate.abandon(task) }
    }
  }

  #if canImport(FoundationNetworking)
    // Foundation on Linux cannot pause a connection: suspending a task closes the connection, and resuming it starts
    // over. It may also crash if a task that was suspended is resumed, is cancelled, or ends at an unfortunate moment.
    func suspend() -> Bool { false }

    func resume() {}
  #else
    func suspend() -> Bool {
      guard let task else { return false }
      task.suspend()
      return true
    }

    func resume() { task?.resume() }
  #endif

  func abandon() {
    let task = state.withLock { state in
      state.isAbandoned = true
      return state.task
    }
    if let task { carrier.delegate.abandon(task) }
  }
}
