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

  /// The configuration's limit in seconds for the time without data.
  private let timeout: TimeInterval

  init(_ configuration: URLSessionConfiguration, secretHeaders: Set<String>) {
    delegate = SessionDelegate(Redirection(secrets: secretHeaders, configuration))
    timeout = configuration.timeoutIntervalForRequest
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue)
  }

  deinit {
    // Otherwise the session would retain its delegate for ever.
    session.finishTasksAndInvalidate()
  }

  func problem(of order: TransferOrder) -> NetworkError? {
    if order.request.httpMethod == HTTPMethod.get.rawValue, order.bodyLength > 0 {
      return .bodyNotAllowed(method: .get)
    }
    #if canImport(FoundationNetworking)
      // Foundation on Linux converts these numbers to milliseconds in an `Int`.
      for seconds in [timeout, order.request.timeoutInterval] where !(abs(seconds) < 1e15) {
        return .badTimeout(seconds)
      }
    #endif
    return nil
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
