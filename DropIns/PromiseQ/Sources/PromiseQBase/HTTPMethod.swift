// The names are the names that HTTP and the original library use.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The method of an HTTP request.
public enum HTTPMethod: String {
  /// Retrieves a resource.
  case GET
  /// Retrieves the header fields of a resource without its body.
  case HEAD
  /// Submits data to a resource.
  case POST
  /// Stores a resource.
  case PUT
  /// Changes parts of a resource.
  case PATCH
  /// Removes a resource.
  case DELETE
  /// Asks a proxy to open a tunnel.
  case CONNECT
  /// Asks which methods a resource supports.
  case OPTIONS
  /// Asks the server to echo the request as it arrived.
  case TRACE
}
