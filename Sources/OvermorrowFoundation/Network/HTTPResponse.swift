public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// What a server has answered: its status, its header fields, and a body in memory or in a file.
///
/// Any status is an answer, 404 included; ``isOK`` says whether it is one of success, and ``checked()`` throws for the
/// others.
public struct HTTPResponse: Sendable {
  /// Status, header fields and final address, as Foundation has them.
  public let response: HTTPURLResponse
  /// The body. Empty where there was none, and where it went to a file.
  public let data: Data
  /// Where the body is, if it was downloaded; `nil` otherwise, and for a download whose status is not a good one.
  public let location: URL?

  /// A response, for tests of code that receives one.
  ///
  /// - Parameters:
  ///   - response: Status, header fields and address.
  ///   - data: The body.
  ///   - location: Where the body is, if it was downloaded.
  public init(_ response: HTTPURLResponse, data: Data = Data(), location: URL? = nil) {
    self.response = response
    self.data = data
    self.location = location
  }

  /// A response with a status, for tests of code that receives one, and for transports.
  ///
  /// ```swift
  /// let busy = HTTPResponse(status: 503, headers: ["Retry-After": "2"])
  /// ```
  ///
  /// - Parameters:
  ///   - status: The status, such as 200.
  ///   - headers: Header fields.
  ///   - data: The body.
  ///   - url: Where the response comes from; by default an address without a server.
  public init(status: Int, headers: [String: String] = [:], data: Data = Data(), url: URL? = nil) {
    guard let url = url ?? URL(string: "http://localhost/"),
      let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
    else { preconditionFailure("HTTPResponse(status:): Foundation makes no response with the status \(status)") }
    self.init(response, data: data)
  }

  /// The status, such as 200.
  public var statusCode: Int { response.statusCode }

  /// Whether the status is one of success, from 200 to 299.
  public var isOK: Bool { 200..<300 ~= statusCode }

  /// The status in words, such as "404 not found".
  public var statusDescription: String {
    "\(statusCode) \(HTTPURLResponse.localizedString(forStatusCode: statusCode))"
  }

  /// Where the response came from, after redirections.
  public var url: URL? { response.url }

  /// The value of a header field; upper and lower case are the same.
  ///
  /// - Parameter name: The name of the field.
  public func header(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }

  /// This response, if its status is one of success.
  ///
  /// - Throws: `NetworkError.status` otherwise.
  public func checked() throws(NetworkError) -> HTTPResponse {
    guard isOK else { throw .status(self) }
    return self
  }
}
