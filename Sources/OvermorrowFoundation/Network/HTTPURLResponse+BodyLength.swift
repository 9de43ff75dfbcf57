internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension HTTPURLResponse {
  /// How many bytes of body will be handed out, if that can be told.
  func bodyLength(method: String?) -> Int64? {
    // Such a response says how long a body would be, and has none.
    if method == "HEAD" || statusCode == 204 || statusCode == 304 { return nil }
    // Chunks say themselves where they end, and a length beside them means nothing (RFC 9112, 6.3).
    if value(forHTTPHeaderField: "Transfer-Encoding") != nil { return nil }
    // The length is of what is sent; what is handed out has been unpacked.
    let coding = value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? "identity"
    return coding == "identity" && expectedContentLength >= 0 ? expectedContentLength : nil
  }
}
