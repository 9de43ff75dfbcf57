internal import Overmorrow

/// Begins one attempt of a request; suspends, resumes and cancels it.
///
/// The promise and the pause keep this, so this must not keep the transfer, which has the promise's resolver: only the
/// delegate has it, and nothing else while the attempt is suspended.
final class Attempt: PromiseSuspendable {
  private let order: TransferOrder
  private let carrier: any Carrier
  private weak let transfer: Transfer?
  private weak let handle: NetworkTask?
  /// Kept while the attempt is suspended, if the exchange had to be given up for that.
  private let stopped = Guarded<Transfer?>(nil)

  init(_ transfer: Transfer, _ order: TransferOrder, by carrier: any Carrier, handle: NetworkTask?) {
    self.transfer = transfer
    self.order = order
    self.carrier = carrier
    self.handle = handle
  }

  func begin() {
    guard let transfer else { return }
    let exchange = carrier.exchange(order, for: transfer)
    guard transfer.begin(exchange) else { return exchange.forget() }
    handle?.begin(exchange)
    exchange.start()
  }

  func suspend() {
    guard let transfer, transfer.current?.suspend() != true, let exchange = transfer.stop() else { return }
    stopped.withLock { $0 = transfer }
    giveUp(exchange)
  }

  func resume() {
    let transfer = stopped.withLock { $0.take() }
    withExtendedLifetime(transfer) {
      if transfer != nil { begin() } else { self.transfer?.current?.resume() }
    }
  }

  func cancel() {
    if let exchange = transfer?.cancel() { giveUp(exchange) }
    let transfer = stopped.withLock { $0.take() }
    withExtendedLifetime(transfer) {}
  }

  private func giveUp(_ exchange: any Exchange) {
    handle?.end(exchange)
    exchange.giveUp()
  }
}
