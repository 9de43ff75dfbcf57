public import Foundation
internal import OvermorrowFoundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// What a server has answered: its status, its header fields, and a body in memory or in a file.
public class HTTPResponse {
  private let answer: OvermorrowFoundation.HTTPResponse

  init(_ answer: OvermorrowFoundation.HTTPResponse) { self.answer = answer }

  /// Status, header fields and address, as Foundation has them.
  public var response: HTTPURLResponse { answer.response }

  /// Whether the status is one of success, from 200 to 299.
  public var ok: Bool { answer.isOK }

  /// The status in words, such as "HTTP 404 - not found".
  public var statusCodeDescription: String {
    let code = response.statusCode
    return "HTTP \(code) - \(HTTPURLResponse.localizedString(forStatusCode: code))"
  }

  /// The body. After a download it is read from the file each time; `nil` if that is gone.
  public var data: Data? { whole?.data }

  /// The file with the body, if it was downloaded. It is yours: the library neither moves nor removes it.
  public var location: URL? { answer.location }

  /// The body as text, also from the file of a download; `nil` if it is none.
  public var text: String? { whole?.text }

  /// The body as JSON, also from the file of a download: a dictionary, an array, a string, a number, a Boolean value or
  /// `NSNull`; `nil` if it is none.
  public var json: Any? { try? whole?.json() }

  /// The response with its body in memory; `nil` if that was in a file which is gone.
  private var whole: OvermorrowFoundation.HTTPResponse? {
    guard let location else { return answer }
    return (try? Data(contentsOf: location)).map { OvermorrowFoundation.HTTPResponse(response, data: $0) }
  }
}
