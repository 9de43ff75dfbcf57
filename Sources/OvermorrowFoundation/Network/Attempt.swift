internal import Overmorrow
internal import OvermorrowEngine
internal import OvermorrowFlow

/// Starts, suspends, resumes and cancels one attempt of a request.
///
/// The promise and the pause retain this object, and the transfer holds the promise's resolver. So this object must not
/// retain the transfer, because the promise would then retain its own resolver. Only the current exchange retains the
/// transfer. While the attempt is suspended without an exchange, `stopped` retains the transfer.
final class Attempt: PromiseSuspendable {
  private let order: TransferOrder
  private let carrier: any Carrier
  private weak let transfer: Transfer?
  private weak let handle: NetworkTask?
  /// The transfer if the attempt is suspended and its exchange had to be abandoned; otherwise `nil`.
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
    guard transfer.begin(exchange) else { return }
    handle?.begin(exchange)
    exchange.start()
  }

  func suspend() {
    guard let transfer, transfer.current?.suspend() != true, let exchange = transfer.stop() else { return }
    stopped.withLock { $0 = transfer }
    abandon(exchange)
  }

  func resume() {
    let transfer = stopped.withLock { $0.take() }
    withExtendedLifetime(transfer) {
      if transfer != nil { begin() } else { self.transfer?.current?.resume() }
    }
  }

  func cancel() {
    if let exchange = transfer?.cancel() { abandon(exchange) }
    let transfer = stopped.withLock { $0.take() }
    withExtendedLifetime(transfer) {}
  }

  private func abandon(_ exchange: any Exchange) {
    handle?.end(exchange)
    exchange.abandon()
  }
}
