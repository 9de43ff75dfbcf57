public import Foundation
public import PromiseKit

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The error of a response that `validate()` does not accept.
public enum PMKHTTPError: Error {
  /// The status is not 2xx. This case contains the status code, the body of the response, and the response.
  case badStatusCode(Int, Data, HTTPURLResponse)

  /// The body of the response, parsed as JSON; `nil` if the body is not JSON.
  public var jsonDictionary: Any? { try? JSONSerialization.jsonObject(with: body) }

  /// Decodes the body of the response from JSON. Returns `nil` if that fails.
  ///
  /// - Parameters:
  ///   - type: The type of the value to decode.
  ///   - decoder: The decoder to use.
  public func decodeResponse<T: Decodable>(_ type: T.Type, decoder: JSONDecoder = JSONDecoder()) -> T? {
    try? decoder.decode(type, from: body)
  }

  private var body: Data {
    switch self {
    case .badStatusCode(_, let data, _): data
    }
  }
}

extension PMKHTTPError: LocalizedError {
  /// A text with the status code and the URL.
  public var errorDescription: String? {
    switch self {
    case .badStatusCode(let code, _, let response):
      "The server answered with the status \(code): \(response.url?.absoluteString ?? "no URL")"
    }
  }
  /// The body of the response as text; `nil` if the body is not text.
  public var failureReason: String? {
    switch self {
    case .badStatusCode(_, let data, let response): String(data: data, urlResponse: response)
    }
  }
}

extension PMKHTTPError: CustomStringConvertible {
  /// A text with the status code and the URL, followed by the body of the response.
  public var description: String {
    [errorDescription, failureReason].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

extension Promise where T == (data: Data, response: URLResponse) {
  /// Returns a promise that rejects each HTTP response whose status is not 2xx.
  ///
  /// The error is ``PMKHTTPError/badStatusCode(_:_:_:)``. A response of another scheme fulfils the promise.
  public func validate() -> Promise<T> {
    map { loaded in
      if let response = loaded.response as? HTTPURLResponse, !(200..<300 ~= response.statusCode) {
        throw PMKHTTPError.badStatusCode(response.statusCode, loaded.data, response)
      }
      return loaded
    }
  }
}
