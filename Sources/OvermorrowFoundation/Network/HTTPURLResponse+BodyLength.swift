internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension HTTPURLResponse {
  /// Returns the number of bytes of the body that the session delivers; `nil` if the number is unknown or there is no
  /// body.
  func bodyLength(method: String?) -> Int64? {
    // A response to `HEAD` or with one of these statuses may state the length of a body, but has no body.
    if method == "HEAD" || statusCode == 204 || statusCode == 304 { return nil }
    // A chunked body contains its own length, so an additional `Content-Length` means nothing (RFC 9112, 6.3).
    if value(forHTTPHeaderField: "Transfer-Encoding") != nil { return nil }
    // `Content-Length` is the length of the encoded body, but the session delivers the decoded body.
    let coding = value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? "identity"
    return coding == "identity" && expectedContentLength >= 0 ? expectedContentLength : nil
  }
}
