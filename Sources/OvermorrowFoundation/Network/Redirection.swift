#if canImport(FoundationNetworking)
  internal import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

/// Creates the requests that a session sends after redirections.
package struct Redirection: Sendable {
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

  /// The maximum number of times that a request is sent again. Without a maximum, a cycle of redirections would never
  /// end.
  package static let maxRepetitions = 16

  /// The header fields that are sent only to the server of the original request in every session.
  fileprivate static let secrets: Set<String> = ["authorization", "cookie", "proxy-authorization"]

  /// The lower-case names of the header fields that must be sent only to the server of the original request.
  private let secrets: Set<String>
  /// The storage of the cookies that are sent after redirections; `nil` if Foundation adds the cookies itself, or if no
  /// cookies are sent.
  private let cookies: HTTPCookieStorage?

  init(secrets: Set<String>, _ configuration: URLSessionConfiguration) {
    self.secrets = Set(secrets.map { $0.lowercased() }).union(Redirection.secrets)
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
    request.remove(secrets, after: task.currentRequest)
    if let cookies, let url = request.url, order.request.httpShouldHandleCookies {
      // Foundation on Linux copies the `Cookie` field of the previous request. That field lacks the cookies that the
      // response sets, so the field is replaced.
      let own = request.isForServer(of: order.request) ? order.request.value(forHTTPHeaderField: "Cookie") : nil
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

extension URLRequest {
  /// Returns the request that sends the body of this request again after a redirection. Returns `nil` if the response
  /// is not a redirection that keeps the method, or does not lead to the address of an HTTP resource.
  package func sendingAgain(after response: HTTPURLResponse) -> URLRequest? {
    let keepsMethod =
      switch response.statusCode {
      case 307, 308: true
      case 301, 302: httpMethod != HTTPMethod.post.rawValue
      default: false
      }
    guard keepsMethod, let target = response.target else { return nil }
    var request = self
    request.url = target
    request.remove(Redirection.secrets, after: self)
    return request.problem == nil ? request : nil
  }

  /// Removes header fields if this request is not for the server of the previous request.
  fileprivate mutating func remove(_ secrets: Set<String>, after previous: URLRequest?) {
    if isForServer(of: previous) { return }
    for name in (allHTTPHeaderFields ?? [:]).keys where secrets.contains(name.lowercased()) {
      setValue(nil, forHTTPHeaderField: name)
    }
  }

  fileprivate func isForServer(of other: URLRequest?) -> Bool { url.map(Origin.init) == other?.url.map(Origin.init) }
}

extension HTTPURLResponse {
  /// The address that this redirection leads to (RFC 9110, 10.2.2).
  fileprivate var target: URL? {
    value(forHTTPHeaderField: "Location").flatMap { URL(string: $0, relativeTo: url)?.absoluteURL }
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
