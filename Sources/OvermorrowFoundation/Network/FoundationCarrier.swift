internal import Dispatch
internal import Foundation
internal import Overmorrow

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Makes exchanges that use a `URLSession`.
final class FoundationCarrier: Carrier {
  let delegate: SessionDelegate
  let session: URLSession
  /// The queue on which tasks are made and started. It is separate because both wait for the session's reader, and the
  /// code that sends a request must not wait.
  private let starting = DispatchQueue(label: "overmorrow.network.starting", qos: .userInitiated)

  init(_ configuration: URLSessionConfiguration, _ redirection: Redirection) {
    delegate = SessionDelegate(redirection)
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue)
  }

  deinit {
    // Otherwise the session would retain its delegate for ever.
    session.finishTasksAndInvalidate()
  }

  func exchange(_ order: TransferOrder, for transfer: Transfer) -> any Exchange {
    SessionExchange(order, by: self, transfer)
  }

  /// Runs code that makes and starts a task, inside the call except on Linux.
  func start(_ body: @escaping @Sendable () -> Void) {
    #if canImport(FoundationNetworking)
      starting.async(execute: body)
    #else
      body()
    #endif
  }
}
