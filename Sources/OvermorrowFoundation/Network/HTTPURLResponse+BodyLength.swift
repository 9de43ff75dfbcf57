internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension HTTPURLResponse {
  /// Returns the number of bytes of the body as the session delivers it; `nil` if the number is not known.
  func bodyLength(method: String?) -> Int64? {
    // Such a response states the length of a body but has none.
    if method == "HEAD" || statusCode == 204 || statusCode == 304 { return nil }
    // A chunked body contains its own length, and a `Content-Length` beside it means nothing (RFC 9112, 6.3).
    if value(forHTTPHeaderField: "Transfer-Encoding") != nil { return nil }
    // `Content-Length` is the length of the encoded body, but the session delivers the decoded one.
    let coding = value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? "identity"
    return coding == "identity" && expectedContentLength >= 0 ? expectedContentLength : nil
  }
}
