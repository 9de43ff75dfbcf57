/// The method of an HTTP request.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  /// The name, as it is sent.
  public let rawValue: String

  /// A method by its name, for those that have no constant here.
  ///
  /// - Parameter rawValue: The name, such as `"PROPFIND"`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Gets a resource.
  public static let get = HTTPMethod(rawValue: "GET")
  /// Gets what would come with a resource, without the resource.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// Hands something over to a resource.
  public static let post = HTTPMethod(rawValue: "POST")
  /// Stores a resource.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// Changes part of a resource.
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// Removes a resource.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// Asks what can be done with a resource.
  public static let options = HTTPMethod(rawValue: "OPTIONS")
  /// Asks for the request as it arrives.
  public static let trace = HTTPMethod(rawValue: "TRACE")
  /// Asks a proxy for a tunnel.
  public static let connect = HTTPMethod(rawValue: "CONNECT")

  /// The methods that mean the same if they arrive twice.
  public static let idempotent: Set<HTTPMethod> = [.get, .head, .put, .delete, .options, .trace]
}
