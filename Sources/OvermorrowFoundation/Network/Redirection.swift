internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The request that a session sends after a redirection.
struct Redirection: Sendable {
  /// The lower-case names of the fields that only the server of the original request may get.
  private let secrets: Set<String>

  init(secrets: Set<String>) {
    self.secrets = Set(secrets.map { $0.lowercased() }).union(["authorization", "cookie", "proxy-authorization"])
  }

  /// The request that follows; `nil` if the redirection is not followed.
  ///
  /// - Parameters:
  ///   - request: What Foundation would send.
  ///   - task: What has been redirected.
  ///   - hasBody: Whether its first request had a body.
  func next(_ request: URLRequest, of task: URLSessionTask, hasBody: Bool) -> URLRequest? {
    var request = request
    #if canImport(FoundationNetworking)
      // Foundation on Linux takes the fields along, but never the body: an empty one must not be taken for it.
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

/// The server that a URL leads to.
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
