public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLRequest {
  /// A request to an HTTP resource.
  ///
  /// - Parameters:
  ///   - resource: Where the resource is, as a `String` or a `URL`, or a request to begin with.
  ///   - method: What to do with it; `nil` leaves it to `resource`, which means to get it unless it is a request that
  ///     says otherwise.
  ///   - headers: Header fields, which replace those of the same names in `resource`.
  ///   - body: What to send along; `nil` leaves it to `resource`.
  /// - Throws: `NetworkError.badAddress` for what is no such address, `NetworkError.badHeader` for what cannot be sent.
  public init(
    _ resource: some URLRequestConvertible, method: HTTPMethod? = nil, headers: [String: String] = [:],
    body: Data? = nil
  ) throws(NetworkError) {
    self = try resource.asURLRequest()
    // Checked before Foundation gets them, as it may drop invalid fields.
    if let field = headers.first(where: { !isFit($0.key, $0.value) }) { throw .badHeader(field.key) }
    if let method { httpMethod = method.rawValue }
    if let body { httpBody = body }
    for (name, value) in headers { setValue(value, forHTTPHeaderField: name) }
    if let problem { throw problem }
  }

  /// Takes the fields of a session that it does not have, and an address that Foundation on Linux understands: there
  /// the scheme must be in lower case.
  mutating func add(_ fields: [String: String]) {
    for (name, value) in fields where self.value(forHTTPHeaderField: name) == nil {
      // Kept also where it cannot be sent: the caller must hear of that.
      allHTTPHeaderFields = (allHTTPHeaderFields ?? [:]).merging([name: value]) { own, _ in own }
    }
    guard let url, let scheme = url.scheme, scheme != scheme.lowercased(),
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return }
    parts.scheme = scheme.lowercased()
    self.url = parts.url
  }

  /// Why this request cannot be sent.
  var problem: NetworkError? {
    guard let url, let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host, !host.isEmpty
    else { return .badAddress(url?.absoluteString ?? "") }
    let method = httpMethod ?? "GET"
    if !method.isToken { return .badHeader(method) }
    return allHTTPHeaderFields?.first { !isFit($0.key, $0.value) }.map { .badHeader($0.key) }
  }
}

/// Whether a header field can be sent: a line break in it would begin another one.
private func isFit(_ name: String, _ value: String) -> Bool {
  name.isToken && !value.unicodeScalars.contains { $0 == "\r" || $0 == "\n" || $0 == "\0" }
}

extension String {
  /// Whether HTTP allows this as a name.
  fileprivate var isToken: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }
}
