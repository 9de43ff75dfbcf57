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

  /// The status in words, such as "404 not found".
  public var statusCodeDescription: String { answer.statusDescription }

  /// The body; `nil` if it is in a file.
  public var data: Data? { location == nil ? answer.data : nil }

  /// The file with the body, if it was downloaded; `nil` for a status that is not one of success. It is yours: nobody
  /// else moves or removes it.
  public var location: URL? { answer.location }

  /// The body as text; `nil` if it is none, or in a file.
  public var text: String? { location == nil ? answer.text : nil }

  /// The body as JSON: a dictionary, an array, a string, a number, a Boolean value or `NSNull`; `nil` if it is none, or in
  /// a file.
  public var json: Any? { try? answer.json() }
}
