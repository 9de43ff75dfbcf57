public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The response of a server: a status, header fields, and a body in memory or in a file.
///
/// A response may have any status, including 404. ``isOK`` tells whether the status means success. ``checked()`` throws
/// if the status does not mean success.
public struct HTTPResponse: Sendable {
  /// The status, the header fields and the final address, as Foundation represents them.
  public let response: HTTPURLResponse
  /// The body. The data is empty if the response has no body or if the body is in a file.
  public let data: Data
  /// The file that contains the body of a download; `nil` after other requests. The property is also `nil` if the
  /// status of a download does not mean success.
  public let location: URL?

  /// Creates a response for tests of code that receives a response.
  ///
  /// - Parameters:
  ///   - response: The status, the header fields and the address.
  ///   - data: The body.
  ///   - location: The file that contains the body of a download.
  public init(_ response: HTTPURLResponse, data: Data = Data(), location: URL? = nil) {
    self.response = response
    self.data = data
    self.location = location
  }

  /// Creates a response with a status and a body, for transports and for tests of code that receives a response.
  ///
  /// ```swift
  /// let busy = HTTPResponse(status: 503, headers: ["Retry-After": "2"])
  /// let fine = HTTPResponse(body: Data("fine".utf8))
  /// ```
  ///
  /// - Parameters:
  ///   - status: The status; 200 by default.
  ///   - headers: The header fields; none by default. The values of names that differ only in case are joined, in the
  ///     order of the names.
  ///   - body: The body; empty by default.
  ///   - url: The address that the response comes from; by default `http://localhost/`.
  public init(status: Int = 200, headers: [String: String] = [:], body: Data = Data(), url: URL? = nil) {
    let fields = headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    guard let url = url ?? URL(string: "http://localhost/"),
      let response = HTTPURLResponse(url: url, status: status, fields: fields)
    else { preconditionFailure("HTTPResponse(status:): Foundation cannot create a response with the status \(status)") }
    self.init(response, data: body)
  }

  /// The status, such as 200.
  public var statusCode: Int { response.statusCode }

  /// Whether the status is between 200 and 299.
  public var isOK: Bool { 200..<300 ~= statusCode }

  /// A description of the status, such as "404 not found".
  public var statusDescription: String {
    "\(statusCode) \(HTTPURLResponse.localizedString(forStatusCode: statusCode))"
  }

  /// The address of the response after redirections.
  public var url: URL? { response.url }

  /// Returns the value of a header field; `nil` if there is no such field. The name is case-insensitive.
  ///
  /// If a server sends a field several times, the values are joined by commas. If such a server spells the name in
  /// different cases, Foundation on Linux keeps the values of one spelling only.
  ///
  /// - Parameter name: The name of the field.
  public func header(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }

  /// Returns this response if its status means success.
  ///
  /// - Throws: `NetworkError.status` if the status does not mean success.
  public func checked() throws(NetworkError) -> HTTPResponse {
    guard isOK else { throw .status(self) }
    return self
  }
}
