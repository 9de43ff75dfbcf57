public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLRequest {
  /// Creates a request to an HTTP resource.
  ///
  /// - Parameters:
  ///   - resource: The resource: a `String`, a `URL`, a `URLRequest` to start from, or another `URLRequestConvertible`.
  ///   - method: The HTTP method; `nil` keeps the method of `resource`, but with a `body`, `GET` becomes `POST`.
  ///   - headers: The header fields. They are added to the fields of `resource`, and replace fields of the same names.
  ///   - body: The request body; `nil` keeps the body of `resource`.
  /// - Throws: `NetworkError.badAddress` if the address is not the address of an HTTP resource,
  ///   `NetworkError.badHeader` if the method or a header field cannot be sent, or the error that `resource` throws.
  public init(
    _ resource: some URLRequestConvertible, method: HTTPMethod? = nil, headers: [String: String] = [:],
    body: Data? = nil
  ) throws(NetworkError) {
    self = try resource.asURLRequest()
    // The fields are checked before Foundation receives them, because Foundation may drop invalid fields.
    if let field = headers.first(where: { !isValidField($0.key, $0.value) }) { throw .badHeader(field.key) }
    if let method { httpMethod = method.rawValue }
    if let body {
      httpBody = body
      if method == nil, httpMethod == HTTPMethod.get.rawValue { httpMethod = HTTPMethod.post.rawValue }
    }
    for (name, value) in headers { setValue(value, forHTTPHeaderField: name) }
    if let problem { throw problem }
  }

  /// Adds those header fields of the session that the request does not have. Also converts the scheme of the address to
  /// lower case, because Foundation on Linux accepts only lower case.
  mutating func add(_ fields: [String: String]) {
    for (name, value) in fields where self.value(forHTTPHeaderField: name) == nil {
      // A field that cannot be sent is also added, so that `problem` finds the field and the caller gets an error.
      allHTTPHeaderFields = (allHTTPHeaderFields ?? [:]).merging([name: value]) { own, _ in own }
    }
    guard let url, let scheme = url.scheme, scheme != scheme.lowercased(),
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return }
    parts.scheme = scheme.lowercased()
    self.url = parts.url
  }

  /// The reason why this request cannot be sent; `nil` if the request can be sent.
  var problem: NetworkError? {
    guard let url, let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host, !host.isEmpty
    else { return .badAddress(url?.absoluteString ?? "") }
    let method = httpMethod ?? "GET"
    if !method.isToken { return .badHeader(method) }
    return allHTTPHeaderFields?.first { !isValidField($0.key, $0.value) }.map { .badHeader($0.key) }
  }
}

/// Returns whether a header field can be sent. A line break in the value would start another field.
private func isValidField(_ name: String, _ value: String) -> Bool {
  name.isToken && !value.unicodeScalars.contains { $0 == "\r" || $0 == "\n" || $0 == "\0" }
}

extension String {
  /// Whether this string is a valid name of a method or a header field.
  fileprivate var isToken: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }
}
