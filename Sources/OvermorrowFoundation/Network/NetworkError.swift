public import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The reason why there is no usable response.
///
/// A response with an error status is not an error by itself. See ``HTTPResponse/isOK``.
public enum NetworkError: Error, Sendable {
  /// The string or URL is not the address of an HTTP resource.
  case badAddress(String)
  /// A header field or the method contains a character that cannot be sent, such as a line break.
  case badHeader(String)
  /// The request has the method `GET` and a body that is not empty, but Foundation sends no body with `GET`.
  case bodyNotAllowed(method: HTTPMethod)
  /// The time limit of the request or of the configuration is not a number, or is too large for Foundation, for example
  /// infinite. The associated value is this limit in seconds. The error occurs only on Linux.
  case badTimeout(TimeInterval)
  /// The server could not be reached, the connection failed, or the response was invalid. For example, the connection
  /// was refused, was lost, timed out or is not secure.
  case connection(URLError)
  /// The body ended early. Fewer bytes arrived than the server had announced.
  case truncated(received: Int64, expected: Int64)
  /// The response is not an HTTP response.
  case notHTTP(URL?)
  /// The ``NetworkTask`` has already been used for another request.
  case taskReused
  /// A file could not be read or written.
  case file(URL, any Error)
  /// The status does not mean success. ``HTTPResponse/checked()`` throws this error.
  case status(HTTPResponse)
  /// The body could not be decoded. ``HTTPResponse/decoded(as:using:)`` and ``HTTPResponse/json()`` throw this error.
  case undecodable(String, any Error)
}

extension NetworkError {
  /// The statuses after which another attempt may succeed: 408, 425, 429, 500, 502, 503 and 504.
  public static let transientStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

  /// Whether another attempt may succeed, because the connection failed or was lost, or the server was overloaded or
  /// failed.
  ///
  /// ``OvermorrowFlow/PromiseRetryPolicy/http(attempts:backoff:deadline:statuses:methods:longestWait:)`` uses this
  /// property. To use the property in your own policy:
  ///
  /// ```swift
  /// let policy = PromiseRetryPolicy<any Error>(attempts: 3, backoff: .exponential(.milliseconds(200)))
  ///   .onlyIf { ($0 as? NetworkError)?.isTransient == true }
  /// ```
  public var isTransient: Bool {
    switch self {
    case .truncated: true
    case .status(let response): NetworkError.transientStatuses.contains(response.statusCode)
    case .connection(let error):
      switch error.code {
      case .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
        .notConnectedToInternet, .badServerResponse:
        true
      default: false
      }
    default: false
    }
  }
}

extension NetworkError: CustomStringConvertible, LocalizedError {
  /// A description of the error, in one sentence.
  public var description: String {
    switch self {
    case .badAddress(let address): "“\(address)” is not the address of an HTTP resource."
    case .badHeader(let name): "“\(name)” contains a character that cannot be sent in a header."
    case .bodyNotAllowed(let method): "A \(method.rawValue) request cannot have a body. Pass another method."
    case .badTimeout(let seconds): "“\(seconds)” is not a time limit. Use a number of seconds that is not too large."
    case .connection(let error): "The connection failed: \(error.localizedDescription) (\(error.code.rawValue))"
    case .truncated(let received, let expected): "The body ended after \(received) of \(expected) bytes."
    case .notHTTP(let url): "The response from \(url?.absoluteString ?? "the server") is not an HTTP response."
    case .taskReused:
      "A NetworkTask can be used for one request only, and this one was already used for another request."
    case .file(let url, let error): "The file \(url.path) cannot be used: \(error.localizedDescription)"
    case .status(let response): "The server answered \(response.statusDescription)."
    case .undecodable(let type, let error): "The body could not be decoded as \(type): \(error)"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
