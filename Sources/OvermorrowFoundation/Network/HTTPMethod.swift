/// The method of an HTTP request.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  /// The name of the method as it is sent.
  public let rawValue: String

  /// Creates a method from its name, for methods that have no constant here.
  ///
  /// - Parameter rawValue: The name, such as `"PROPFIND"`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Retrieves a resource.
  public static let get = HTTPMethod(rawValue: "GET")
  /// Retrieves the header fields of a resource without its body.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// Submits data to a resource.
  public static let post = HTTPMethod(rawValue: "POST")
  /// Stores a resource.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// Changes parts of a resource.
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// Removes a resource.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// Asks which methods a resource supports.
  public static let options = HTTPMethod(rawValue: "OPTIONS")
  /// Asks the server to echo the request as it arrived.
  public static let trace = HTTPMethod(rawValue: "TRACE")
  /// Asks a proxy to open a tunnel.
  public static let connect = HTTPMethod(rawValue: "CONNECT")

  /// The idempotent methods: sending a request twice has the same effect as sending it once.
  public static let idempotent: Set<HTTPMethod> = [.get, .head, .put, .delete, .options, .trace]
}
