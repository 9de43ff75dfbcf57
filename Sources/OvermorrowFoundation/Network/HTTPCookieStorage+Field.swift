internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension HTTPCookieStorage {
  /// Returns the `Cookie` field of a request to a URL; `nil` if there are no cookies for the URL.
  ///
  /// Foundation on Linux selects cookies by their domain only, so this function also checks the path, the scheme and
  /// the expiry of each cookie.
  func field(for url: URL) -> String? {
    let selected = (cookies(for: url) ?? []).filter { $0.isFor(url) }
    // Cookies with longer paths come first (RFC 6265, 5.4).
    let sorted = selected.sorted { ($1.path.count, $0.name) < ($0.path.count, $1.name) }
    return sorted.isEmpty ? nil : HTTPCookie.requestHeaderFields(with: sorted)["Cookie"]
  }
}

extension HTTPCookie {
  /// Returns whether this cookie may be sent to a URL of its domain. Checks the path, the scheme and the expiry of the
  /// cookie.
  fileprivate func isFor(_ url: URL) -> Bool {
    if isSecure, url.scheme?.lowercased() != "https" { return false }
    if let expiresDate, expiresDate <= Date() { return false }
    let target = url.path.isEmpty ? "/" : url.path
    return target == path || target.hasPrefix(path.hasSuffix("/") ? path : path + "/")
  }
}
