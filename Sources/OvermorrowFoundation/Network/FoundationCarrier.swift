internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Exchanges by a session of Foundation's.
final class FoundationCarrier: Carrier {
  private let delegate: SessionDelegate
  private let session: URLSession

  init(_ configuration: URLSessionConfiguration, _ redirection: Redirection) {
    delegate = SessionDelegate(redirection)
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue)
  }

  deinit {
    // Without this it would keep its delegate for ever.
    session.finishTasksAndInvalidate()
  }

  func exchange(_ order: TransferOrder, for transfer: Transfer) -> any Exchange {
    let exchange = SessionExchange(order.makeTask(in: session), delegate, transfer)
    delegate.add(exchange)
    return exchange
  }
}

/// An exchange by a task of Foundation's.
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
    // Foundation on Linux cannot pause a connection: a suspended task closes it, and begins again later. It may also
    // stop the program when a task is resumed or cancelled, or ends, at a bad moment after it was suspended.
    func suspend() -> Bool { false }

    func resume() {}
  #else
    func suspend() -> Bool {
      task.suspend()
      return true
    }

    func resume() { task.resume() }
  #endif

  func giveUp() { delegate.giveUp(self) }

  func forget() { delegate.take(task) }
}
