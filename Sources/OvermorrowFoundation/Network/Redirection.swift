internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Creates the requests that a session sends after redirections.
struct Redirection: Sendable {
  enum Step {
    /// Foundation sends this request. On Linux, the request has no body.
    case follow(URLRequest)
    /// Foundation would not send the body of this request, so another task must send the request.
    case sendAgain(URLRequest)
    /// The redirection is not followed, because its address is not the address of an HTTP resource, or because the
    /// body of the request cannot be sent again. The response that redirects is the response to the request.
    case stop
  }

  /// The header fields that describe a body.
  private static let bodyFields = [
    "Content-Encoding", "Content-Language", "Content-Length", "Content-Location", "Content-Type", "Transfer-Encoding",
  ]

  /// The lower-case names of the header fields that must be sent only to the server of the original request.
  private let secrets: Set<String>
  /// The storage of the cookies that are sent after redirections; `nil` if Foundation adds the cookies itself, or if no
  /// cookies are sent.
  private let cookies: HTTPCookieStorage?

  init(secrets: Set<String>, _ configuration: URLSessionConfiguration) {
    self.secrets = Set(secrets.map { $0.lowercased() }).union(["authorization", "cookie", "proxy-authorization"])
    #if canImport(FoundationNetworking)
      cookies = configuration.httpShouldSetCookies ? configuration.httpCookieStorage : nil
    #else
      cookies = nil
    #endif
  }

  /// Returns the next request.
  ///
  /// - Parameters:
  ///   - request: The request that Foundation would send.
  ///   - response: The response that redirects.
  ///   - task: The task whose request is redirected.
  ///   - order: The original request.
  func next(
    _ request: URLRequest, after response: HTTPURLResponse, of task: URLSessionTask, _ order: TransferOrder
  ) -> Step {
    var request = request
    #if canImport(FoundationNetworking)
      // Foundation on Linux resolves a relative address against the root of the server.
      request.url = response.target ?? request.url
    #endif
    if request.problem != nil { return .stop }
    let keepsMethod = request.httpMethod == order.request.httpMethod
    if !keepsMethod { for name in Redirection.bodyFields { request.setValue(nil, forHTTPHeaderField: name) } }
    let origin = request.url.map(Origin.init)
    if origin != task.currentRequest?.url.map(Origin.init) {
      for name in (request.allHTTPHeaderFields ?? [:]).keys where secrets.contains(name.lowercased()) {
        request.setValue(nil, forHTTPHeaderField: name)
      }
    }
    if let cookies, let url = request.url, order.request.httpShouldHandleCookies {
      // Foundation on Linux copies the `Cookie` field of the previous request. That field lacks the cookies that the
      // response sets, so the field is replaced.
      let own = origin == order.request.url.map(Origin.init) ? order.request.value(forHTTPHeaderField: "Cookie") : nil
      request.setValue(cookies.field(for: url) ?? own, forHTTPHeaderField: "Cookie")
    }
    #if canImport(FoundationNetworking)
      // Foundation on Linux never sends the body again after a redirection. If the body can be read again, another task
      // sends the request. Otherwise the redirection is not followed.
      if keepsMethod, order.isBodyOnce { return .stop }
      if keepsMethod, order.hasBody {
        request.httpBody = order.request.httpBody
        return .sendAgain(request)
      }
    #endif
    return .follow(request)
  }
}

#if canImport(FoundationNetworking)
  extension HTTPURLResponse {
    /// The address that this redirection leads to (RFC 9110, 10.2.2).
    fileprivate var target: URL? {
      value(forHTTPHeaderField: "Location").flatMap { URL(string: $0, relativeTo: url)?.absoluteURL }
    }
  }
#endif

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
