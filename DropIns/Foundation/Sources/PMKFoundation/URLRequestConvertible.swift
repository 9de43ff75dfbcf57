public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A value that session tasks accept as their request.
public protocol URLRequestConvertible {
  /// The request.
  var pmkRequest: URLRequest { get }
}

extension URLRequest: URLRequestConvertible {
  /// This request.
  public var pmkRequest: URLRequest { self }
}

extension URL: URLRequestConvertible {
  /// A request to get this resource.
  public var pmkRequest: URLRequest { URLRequest(url: self) }
}
