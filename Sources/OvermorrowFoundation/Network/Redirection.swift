internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Makes the requests that a session sends after redirections.
struct Redirection: Sendable {
  /// The lower-case names of the header fields that must be sent only to the server of the original request.
  private let secrets: Set<String>

  init(secrets: Set<String>) {
    self.secrets = Set(secrets.map { $0.lowercased() }).union(["authorization", "cookie", "proxy-authorization"])
  }

  /// Returns the next request, or `nil` if the redirection is not followed.
  ///
  /// - Parameters:
  ///   - request: The request that Foundation would send.
  ///   - task: The task whose request is redirected.
  ///   - hasBody: Whether the original request had a body.
  func next(_ request: URLRequest, of task: URLSessionTask, hasBody: Bool) -> URLRequest? {
    var request = request
    #if canImport(FoundationNetworking)
      // Foundation on Linux copies the header fields to the next request, but never the body. A redirection that keeps
      // the method and needs the body is not followed, because the body would be sent empty. If the method has changed,
      // there is no body, so the header fields for its length are removed.
      if request.httpMethod == task.originalRequest?.httpMethod {
        if hasBody { return nil }
      } else {
        request.bodyLength = nil
      }
    #endif
    if request.url.map(Origin.init) != task.currentRequest?.url.map(Origin.init) {
      for name in (request.allHTTPHeaderFields ?? [:]).keys where secrets.contains(name.lowercased()) {
        request.setValue(nil, forHTTPHeaderField: name)
      }
    }
    return request
  }
}

/// The scheme, the host and the port of a URL.
private struct Origin: Equatable {
  let scheme: String?
  let host: String?
  let port: Int?

  init(_ url: URL) {
    let scheme = url.scheme?.lowercased()
    self.scheme = scheme
    host = url.host?.lowercased()
    port = url.port ?? (scheme == "https" ? 443 : 80)
  }
}
