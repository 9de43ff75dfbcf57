internal import Foundation
internal import Overmorrow
internal import OvermorrowEngine

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Creates exchanges that use a transport.
struct TransportCarrier: Carrier {
  let transport: any HTTPTransport

  func problem(of order: TransferOrder) -> NetworkError? { nil }

  func exchange(_ order: TransferOrder, for transfer: Transfer) -> any Exchange {
    TransportExchange(transport, order, transfer)
  }
}

/// An exchange that uses a transport.
final class TransportExchange: Exchange {
  private let transport: any HTTPTransport
  private let order: TransferOrder
  private let transfer: Transfer
  /// The token that requests the cancellation of the transport's promise.
  private let cancellation = PromiseInvalidationToken(invalidateOnDeinit: false)
  /// Whether the exchange has been abandoned. The flag is needed because the token cannot cancel a promise that is
  /// registered after the token was invalidated.
  private let isAbandoned = Guarded(false)

  init(_ transport: any HTTPTransport, _ order: TransferOrder, _ transfer: Transfer) {
    self.transport = transport
    self.order = order
    self.transfer = transfer
  }

  func start() {
    if isAbandoned.withLock({ $0 }) { return }
    let body = order.source ?? order.request.httpBody.map { .data($0) }
    let sending = transport.send(order.request, body: body, to: HTTPReceiver(exchange: self))
    sending.always(on: .immediate) { [self] result in
      switch result {
      case .value: transfer.complete(self, nil)
      case .error(let error): transfer.complete(self, error)
      case .cancelled: transfer.complete(self, URLError(.cancelled))
      }
    }
    sending.requestCancelOnInvalidate(cancellation)
    // The exchange may have been abandoned inside `send`, or by another thread before the promise was registered.
    if isAbandoned.withLock({ $0 }) { sending.requestCancel() }
  }

  func suspend() -> Bool { false }

  func resume() {}

  func abandon() {
    isAbandoned.withLock { $0 = true }
    cancellation.invalidate()
  }

  func receive(_ response: HTTPURLResponse) {
    if !transfer.receive(response, to: order.request, of: self) { abandon() }
  }

  func receive(_ data: Data) {
    if !transfer.receive(data, of: self) { abandon() }
  }

  func sent(_ count: Int64) { transfer.sent(count, by: self) }
}
