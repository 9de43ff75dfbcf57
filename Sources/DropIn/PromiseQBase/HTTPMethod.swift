// The names are those of HTTP, and of the code that this module is for.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The method of an HTTP request.
public enum HTTPMethod: String {
  /// Gets a resource.
  case GET
  /// Gets what would come with a resource, without the resource.
  case HEAD
  /// Hands something over to a resource.
  case POST
  /// Stores a resource.
  case PUT
  /// Changes part of a resource.
  case PATCH
  /// Removes a resource.
  case DELETE
  /// Asks a proxy for a tunnel.
  case CONNECT
  /// Asks what can be done with a resource.
  case OPTIONS
  /// Asks for the request as it arrives.
  case TRACE
}
