internal import Dispatch
internal import Foundation
internal import Overmorrow

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Creates exchanges that use a `URLSession`.
final class FoundationCarrier: Carrier {
  let delegate: SessionDelegate
  let session: URLSession
  /// The queue on which tasks are created and started on Linux. The queue is separate because creating and starting a
  /// task waits for the session's reader. The code that sends a request must not wait.
  private let starting = DispatchQueue(label: "overmorrow.network.starting", qos: .userInitiated)

  /// The longest time without data, in seconds, from the configuration.
  private let timeout: TimeInterval

  init(_ configuration: URLSessionConfiguration, secretHeaders: Set<String>) {
    delegate = SessionDelegate(Redirection(secrets: secretHeaders, configuration))
    timeout = configuration.timeoutIntervalForRequest
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue)
  }

  deinit {
    // Without this call, the session would retain its delegate for ever.
    session.finishTasksAndInvalidate()
  }

  func problem(of order: TransferOrder) -> NetworkError? {
    if order.request.httpMethod == HTTPMethod.get.rawValue, order.bodyLength > 0 {
      return .bodyNotAllowed(method: .get)
    }
    #if canImport(FoundationNetworking)
      // Foundation on Linux converts these time limits to milliseconds in an `Int`. Limits that the check below finds
      // would not fit.
      for seconds in [timeout, order.request.timeoutInterval] where !(abs(seconds) < 1e15) {
        return .badTimeout(seconds)
      }
    #endif
    return nil
  }

  func exchange(_ order: TransferOrder, for transfer: Transfer) -> any Exchange {
    SessionExchange(order, by: self, transfer)
  }

  /// Runs code that creates and starts a task. On Linux, the code runs on another queue. On Apple's systems, the code
  /// runs inside the call.
  func start(_ body: @escaping @Sendable () -> Void) {
    #if canImport(FoundationNetworking)
      starting.async(execute: body)
    #else
      body()
    #endif
  }
}
