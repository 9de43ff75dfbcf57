public import Foundation
public import Overmorrow

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends the requests of a ``NetworkSession`` instead of Foundation: by another HTTP client, or in a test by none at
/// all.
///
/// ```swift
/// struct Echo: HTTPTransport {
///   func send(_ request: URLRequest, body: UploadSource?, to receiver: HTTPReceiver) -> Promise<Void, any Error> {
///     receiver.receive(HTTPResponse(status: 200, data: Data("\(request)".utf8)))
///     return Promise(fulfilled: ())
///   }
/// }
/// let session = NetworkSession(transport: Echo())
/// ```
///
/// The session does the rest: retries, progress, files, which it writes while the body comes, and the check that a body
/// is whole. A transport follows redirections itself, and has its own time limits. A suspended request is given up, and
/// sent again when it is resumed, as on Linux.
///
/// ``StubTransport`` answers from a table.
public protocol HTTPTransport: Sendable {
  /// Sends a request once.
  ///
  /// - Fulfils: when the whole response was given to `receiver`.
  /// - Fails: with the reason why there is no whole response. A ``NetworkError`` and a `URLError` reach the caller as
  ///   they are.
  /// - Cancels: when that is asked for, as the session does if the response is no longer wanted. Whatever the receiver
  ///   is given afterwards is ignored.
  /// - Runs on: the promise may be resolved, and the receiver called, on any thread, but by one call at a time.
  /// - Parameters:
  ///   - request: Method, address and header fields.
  ///   - body: What to send along.
  ///   - receiver: Takes the response.
  func send(_ request: URLRequest, body: UploadSource?, to receiver: HTTPReceiver) -> Promise<Void, any Error>
}

/// Takes the response to a request from a transport: first its head, then its body, part by part.
///
/// It writes a download to its file during the call. So a transport that makes its server wait until a call has
/// returned needs no memory for the body.
public struct HTTPReceiver: Sendable {
  let exchange: TransportExchange

  /// Takes status, header fields and final address; of several ones, as of a redirection, the last one counts.
  ///
  /// - Parameter response: The head of the response.
  public func receive(_ response: HTTPURLResponse) { exchange.receive(response) }

  /// Takes a part of the body, without what it was packed in for the transport.
  ///
  /// - Parameter data: The next bytes.
  public func receive(_ data: Data) { exchange.receive(data) }

  /// Takes a response at once, with the body that is in memory.
  ///
  /// - Parameter response: The whole response.
  public func receive(_ response: HTTPResponse) {
    receive(response.response)
    receive(response.data)
  }

  /// Learns how much of an upload has gone.
  ///
  /// - Parameter count: How many bytes, from the beginning of this attempt.
  public func sent(_ count: Int64) { exchange.sent(count) }
}
