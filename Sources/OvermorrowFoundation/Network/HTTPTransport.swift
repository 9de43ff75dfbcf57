public import Foundation
public import Overmorrow

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends the requests of a ``NetworkSession`` in place of Foundation, for example through another HTTP client, or
/// without a network in a test.
///
/// ```swift
/// struct Echo: HTTPTransport {
///   func send(_ request: URLRequest, body: UploadSource?, to receiver: HTTPReceiver) -> Promise<Void, any Error> {
///     receiver.receive(HTTPResponse(status: 200, body: Data("\(request)".utf8)))
///     return Promise(fulfilled: ())
///   }
/// }
/// let session = NetworkSession(transport: Echo())
/// ```
///
/// The session does the rest: it retries requests, reports progress, writes files while the body arrives, and checks
/// that a body is complete. A transport follows redirections itself, and has its own time limits. Suspending a request
/// abandons the request, and resuming sends the request again. On Linux, a session without a transport also abandons a
/// suspended request and later sends it again.
///
/// ``StubTransport`` is a transport that answers from a table.
public protocol HTTPTransport: Sendable {
  /// Sends a request once.
  ///
  /// - Fulfils: when the whole response has been passed to `receiver`.
  /// - Fails: with the reason why the response is incomplete. A ``NetworkError`` reaches the caller unchanged. Any
  ///   other error reaches the caller as ``NetworkError/connection(_:)``. An error that is not a `URLError` is first
  ///   wrapped in a `URLError`. If part of a body of known length is missing and the error is not `URLError.timedOut`,
  ///   the caller receives ``NetworkError/truncated(received:expected:)`` instead of ``NetworkError/connection(_:)``.
  ///   The error `URLError.cancelled` cancels the promise of the request.
  /// - Cancels: when cancellation is requested. The session requests cancellation if the response is no longer needed.
  ///   After the request to cancel, calls of the receiver have no effect.
  /// - Runs on: any thread. Calls of the receiver must not overlap.
  /// - Parameters:
  ///   - request: The method, the address and the header fields.
  ///   - body: The request body; `nil` if there is none.
  ///   - receiver: The receiver of the response.
  func send(_ request: URLRequest, body: UploadSource?, to receiver: HTTPReceiver) -> Promise<Void, any Error>
}

/// Receives the response to a request from a transport. The head comes first, and then the body in parts.
///
/// Each call writes its part of a download to the file before the call returns. If a transport reads further data only
/// after the call has returned, the transport needs memory for one part only.
public struct HTTPReceiver: Sendable {
  let exchange: TransportExchange

  /// Receives the status, the header fields and the final address. If this method is called several times, for example
  /// for redirections, the last call counts.
  ///
  /// - Parameter response: The head of the response.
  public func receive(_ response: HTTPURLResponse) { exchange.receive(response) }

  /// Receives a part of the body. Transfer encodings, such as chunking, must already have been removed.
  ///
  /// - Parameter data: The next bytes.
  public func receive(_ data: Data) { exchange.receive(data) }

  /// Receives a whole response, with its body in memory.
  ///
  /// - Parameter response: The whole response.
  public func receive(_ response: HTTPResponse) {
    receive(response.response)
    receive(response.data)
  }

  /// Reports the number of bytes of an upload that have been sent.
  ///
  /// - Parameter count: The number of bytes sent since the beginning of this attempt.
  public func sent(_ count: Int64) { exchange.sent(count) }
}
