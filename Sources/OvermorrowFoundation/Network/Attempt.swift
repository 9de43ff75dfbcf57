internal import Foundation
internal import Overmorrow

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Begins one attempt of a request; suspends, resumes and cancels it.
///
/// The promise and the pause keep this, so this must not keep the transfer, which has the promise's resolver: the delegate has it,
/// or nobody else while the attempt is suspended.
final class Attempt: PromiseSuspendable {
  private let order: TransferOrder
  private let session: NetworkSession
  private weak let transfer: Transfer?
  private weak let handle: NetworkTask?
  private let stopped = Guarded<Transfer?>(nil)

  init(_ transfer: Transfer, _ order: TransferOrder, in session: NetworkSession, handle: NetworkTask?) {
    self.transfer = transfer
    self.order = order
    self.session = session
    self.handle = handle
  }

  func begin() {
    guard let transfer else { return }
    let task = session.makeTask(order, for: transfer)
    guard transfer.begin(task) else { return session.forget(task) }
    handle?.begin(task)
    task.resume()
  }

  #if canImport(FoundationNetworking)
    // Foundation on Linux cannot pause a connection: a suspended task gives it up, and begins again later. That it does
    // not always survive: it stops the program when a task is resumed or cancelled, or ends, at a bad moment after having
    // been suspended. So here the same is done by cancelling the task and making another one.
    func suspend() {
      guard let transfer, let task = transfer.stop() else { return }
      stopped.withLock { $0 = transfer }
      giveUp(task)
    }

    func resume() {
      let transfer = stopped.withLock { $0.take() }
      withExtendedLifetime(transfer) { if transfer != nil { begin() } }
    }
  #else
    func suspend() { transfer?.current?.suspend() }

    func resume() { transfer?.current?.resume() }
  #endif

  func cancel() {
    if let task = transfer?.cancel() { giveUp(task) }
    let transfer = stopped.withLock { $0.take() }
    withExtendedLifetime(transfer) {}
  }

  private func giveUp(_ task: URLSessionTask) {
    handle?.end(task)
    session.giveUp(task)
  }
}
