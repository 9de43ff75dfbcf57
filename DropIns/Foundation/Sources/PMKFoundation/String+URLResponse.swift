public import Foundation
internal import OvermorrowFoundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension String {
  /// Decodes the body of a response. Returns `nil` if that fails.
  ///
  /// The character set is the one that the response names. If that character set is missing or unknown, UTF-8 is used.
  ///
  /// - Parameters:
  ///   - data: The body.
  ///   - urlResponse: The response.
  public init?(data: Data, urlResponse: URLResponse) {
    let headers = urlResponse.textEncodingName.map { ["Content-Type": "text/plain; charset=\($0)"] } ?? [:]
    guard let text = HTTPResponse(headers: headers, body: data).text else { return nil }
    self = text
  }
}
