public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A resource that a session can send a request to, such as an address as a string or a URL, or a whole request.
///
/// ```swift
/// let first = session.fetch("https://example.org/people")
/// let second = session.fetch(url)
/// let third = session.fetch(request)
/// ```
///
/// Your own types can conform to this protocol, for example an enumeration of the resources of a service.
public protocol URLRequestConvertible {
  /// Returns the request.
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
  /// - Throws: `NetworkError.badAddress` if this string is not the address of an HTTP resource.
  public func asURLRequest() throws(NetworkError) -> URLRequest {
    guard let request = URL(string: self).map({ URLRequest(url: $0) }), request.problem == nil else {
      throw .badAddress(self)
    }
    return request
  }
}
