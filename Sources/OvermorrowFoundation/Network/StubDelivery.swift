internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Delivers an answer of a ``StubTransport`` in parts.
struct StubDelivery: Sendable {
  let answer: StubTransport.Answer
  private let uploadSize: Int64
  private let receiver: HTTPReceiver

  init(_ answer: StubTransport.Answer, uploading uploadSize: Int64, to receiver: HTTPReceiver) {
    self.answer = answer
    self.uploadSize = uploadSize
    self.receiver = receiver
  }

  /// Delivers one part of the answer. The parts are numbered from 1. The head of the response precedes the first part.
  ///
  /// - Throws: The error, if the answer is an error.
  func deliver(_ part: Int) throws {
    let response = try answer.result.get()
    if part == 1 { receiver.receive(head(of: response)) }
    if uploadSize > 0 { receiver.sent(Int64(end(of: part, in: Int(uploadSize)))) }
    let body = response.data
    receiver.receive(body.dropFirst(end(of: part - 1, in: body.count)).prefix(length(of: part, in: body.count)))
  }

  private func end(of part: Int, in count: Int) -> Int { part == answer.parts ? count : count / answer.parts * part }

  private func length(of part: Int, in count: Int) -> Int { end(of: part, in: count) - end(of: part - 1, in: count) }

  /// Returns the head of the response. If there are several parts and neither a `Content-Length` nor a
  /// `Transfer-Encoding` field, the head announces the length of the body.
  private func head(of response: HTTPResponse) -> HTTPURLResponse {
    let head = response.response
    guard answer.parts > 1, response.header("Content-Length") == nil, response.header("Transfer-Encoding") == nil,
      let url = head.url
    else { return head }
    var fields = ["Content-Length": "\(response.data.count)"]
    for case (let name as String, let value as String) in head.allHeaderFields { fields[name] = value }
    return HTTPURLResponse(url: url, statusCode: head.statusCode, httpVersion: "HTTP/1.1", headerFields: fields) ?? head
  }
}
