/// The method of an HTTP request.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  /// The name of the method as it is sent.
  public let rawValue: String

  /// Creates a method from its name, for methods that have no constant here.
  ///
  /// - Parameter rawValue: The name, such as `"PROPFIND"`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The method that retrieves a resource.
  public static let get = HTTPMethod(rawValue: "GET")
  /// The method that retrieves the header fields of a resource without its body.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// The method that submits data to a resource.
  public static let post = HTTPMethod(rawValue: "POST")
  /// The method that stores a resource.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// The method that changes parts of a resource.
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// The method that removes a resource.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// The method that asks which methods a resource supports.
  public static let options = HTTPMethod(rawValue: "OPTIONS")
  /// The method that asks the server to echo the request as it arrived.
  public static let trace = HTTPMethod(rawValue: "TRACE")
  /// The method that asks a proxy to open a tunnel.
  public static let connect = HTTPMethod(rawValue: "CONNECT")

  /// The idempotent methods. Sending a request with such a method twice has the same effect as sending it once.
  public static let idempotent: Set<HTTPMethod> = [.get, .head, .put, .delete, .options, .trace]
}
