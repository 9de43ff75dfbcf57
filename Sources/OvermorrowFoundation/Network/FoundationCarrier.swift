internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Makes exchanges that use a `URLSession`.
final class FoundationCarrier: Carrier {
  private let delegate: SessionDelegate
  private let session: URLSession

  init(_ configuration: URLSessionConfiguration, _ redirection: Redirection) {
    delegate = SessionDelegate(redirection)
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue)
  }

  deinit {
    // Otherwise the session would retain its delegate for ever.
    session.finishTasksAndInvalidate()
  }

  func exchange(_ order: TransferOrder, for transfer: Transfer) -> any Exchange {
    let exchange = SessionExchange(order.makeTask(in: session), delegate, transfer)
    delegate.add(exchange)
    return exchange
  }
}

/// An exchange that uses a `URLSessionTask`.
final class SessionExchange: Exchange {
  let task: URLSessionTask
  let transfer: Transfer
  let end = TaskEnd()
  private let delegate: SessionDelegate

  init(_ task: URLSessionTask, _ delegate: SessionDelegate, _ transfer: Transfer) {
    self.task = task
    self.delegate = delegate
    self.transfer = transfer
  }

  func start() { task.resume() }

  #if canImport(FoundationNetworking)
    // Foundation on Linux cannot pause a connection: suspending a task closes the connection, and resuming it starts
    // over. It may also crash if a task that was suspended is resumed, is cancelled, or ends at an unfortunate moment.
    func suspend() -> Bool { false }

    func resume() {}
  #else
    func suspend() -> Bool {
      task.suspend()
      return true
    }

    func resume() { task.resume() }
  #endif

  func abandon() { delegate.abandon(self) }

  func discard() { delegate.take(task) }
}
