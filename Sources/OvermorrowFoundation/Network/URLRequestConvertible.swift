public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A resource that a session can send a request to: an address as a string or a URL, or a whole request.
///
/// ```swift
/// let first = session.fetch("https://example.org/people")
/// let second = session.fetch(url)
/// let third = session.fetch(request)
/// ```
///
/// A type of your own can conform, such as an enumeration of a service's resources.
public protocol URLRequestConvertible {
  /// The request.
  ///
  /// - Throws: A ``NetworkError``, such as `NetworkError.badAddress`.
  func asURLRequest() throws(NetworkError) -> URLRequest
}

extension URLRequest: URLRequestConvertible {
  /// Returns this request.
  public func asURLRequest() -> URLRequest { self }
}

extension URL: URLRequestConvertible {
  /// Returns a request to get this resource.
  public func asURLRequest() -> URLRequest { URLRequest(url: self) }
}

extension String: URLRequestConvertible {
  /// Returns a request to get the resource at this address, such as `"https://example.org/people?page=2"`.
  ///
  /// - Throws: `NetworkError.badAddress` if this is not the address of an HTTP resource.
  public func asURLRequest() throws(NetworkError) -> URLRequest {
    guard let request = URL(string: self).map({ URLRequest(url: $0) }), request.problem == nil else {
      throw .badAddress(self)
    }
    return request
  }
}
