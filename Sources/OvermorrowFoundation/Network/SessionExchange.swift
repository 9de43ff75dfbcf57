internal import Foundation
internal import Overmorrow
internal import OvermorrowEngine

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// An exchange that uses a `URLSessionTask`. If the request has to be sent again, the exchange uses another task.
final class SessionExchange: Exchange {
  private struct State {
    /// The request to send. It changes if a redirection has to be sent by another task.
    var request: URLRequest
    /// The current task; `nil` until it has been created.
    var task: URLSessionTask?
    var isAbandoned = false
    /// The number of times that the request was sent again.
    var repetitions = 0
  }

  let order: TransferOrder
  let transfer: Transfer
  private let carrier: FoundationCarrier
  private let state: Guarded<State>

  init(_ order: TransferOrder, by carrier: FoundationCarrier, _ transfer: Transfer) {
    self.order = order
    self.carrier = carrier
    self.transfer = transfer
    state = Guarded(State(request: order.request))
  }

  /// The current task; `nil` until it has been created. On Linux, another queue creates the task, so the task may still
  /// be `nil` after `start()` has returned.
  var task: URLSessionTask? { state.withLock { $0.task } }

  func start() {
    carrier.start { [self] in
      let (request, isWanted) = state.withLock { ($0.request, !$0.isAbandoned) }
      if !isWanted { return }
      var order = order
      order.request = request
      let task = order.makeTask(in: carrier.session)
      carrier.delegate.add(self, task)
      let isStillWanted = state.withLock { state in
        state.task = task
        return !state.isAbandoned
      }
      // Another thread may have abandoned the exchange while the task was being created.
      if isStillWanted { task.resume() } else { carrier.delegate.abandon(task) }
    }
  }

  /// Sends a request by another task, with the body of the order. Callbacks of the previous task are then ignored.
  ///
  /// - Parameter request: The request to send; the same request as before by default.
  /// - Returns: `true` if the request is sent; `false` if it has already been sent again the maximum number of times.
  func sendAgain(_ request: URLRequest? = nil) -> Bool {
    let isSent = state.withLock { state in
      guard state.repetitions < Redirection.maxRepetitions else { return false }
      state.repetitions += 1
      state.request = request ?? state.request
      state.task = nil
      return true
    }
    if isSent { start() }
    return isSent
  }

  #if canImport(FoundationNetworking)
    // Foundation on Linux cannot keep the connection of a suspended task. Suspending a task closes the connection, and
    // resuming the task starts over. Foundation may also crash if a task that was suspended is resumed, is cancelled,
    // or ends at an unfortunate moment.
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
