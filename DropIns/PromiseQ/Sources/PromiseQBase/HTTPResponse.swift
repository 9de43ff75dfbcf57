public import Foundation
internal import OvermorrowFoundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The response of a server: a status, header fields, and a body in memory or in a file.
public class HTTPResponse {
  private let answer: OvermorrowFoundation.HTTPResponse

  init(_ answer: OvermorrowFoundation.HTTPResponse) { self.answer = answer }

  /// The status, the header fields and the address, as Foundation represents them.
  public var response: HTTPURLResponse { answer.response }

  /// Whether the status is between 200 and 299.
  public var ok: Bool { answer.isOK }

  /// A description of the status, such as "HTTP 404 - not found".
  public var statusCodeDescription: String {
    let code = response.statusCode
    return "HTTP \(code) - \(HTTPURLResponse.localizedString(forStatusCode: code))"
  }

  /// The body. After a download, each access reads the file; `nil` if the file no longer exists.
  public var data: Data? { whole?.data }

  /// The file that contains the body of a download; `nil` after other requests. The library neither moves nor removes
  /// the file.
  public var location: URL? { answer.location }

  /// The body as text, read from the file after a download; `nil` if the body is not text, or if the file no longer
  /// exists.
  public var text: String? { whole?.text }

  /// The body as JSON, read from the file after a download: a dictionary, an array, a string, a number, a Boolean value
  /// or `NSNull`; `nil` if the body is not JSON, or if the file no longer exists.
  public var json: Any? { try? whole?.json() }

  /// The response with its body in memory; `nil` if the body was in a file that no longer exists.
  private var whole: OvermorrowFoundation.HTTPResponse? {
    guard let location else { return answer }
    return (try? Data(contentsOf: location)).map { OvermorrowFoundation.HTTPResponse(response, data: $0) }
  }
}
