internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// What to send and receive, for all attempts.
struct TransferOrder: Sendable {
  var request: URLRequest
  var source: UploadSource?
  /// How much is to be uploaded, if that is what progress is about.
  var uploadSize: Int64?
  var destination: URL?
  /// Whether the destination gets the body of a response that is no success, too.
  var takesAnyStatus = false
  /// The statuses that end an attempt with an error, for a policy to look at.
  var retriedStatuses: Set<Int> = []

  /// Whether the request has a body.
  var hasBody: Bool { source != nil || request.httpBody != nil }

  /// The same order with these fields added, unless the request has fields of the same names.
  func adding(_ fields: [String: String]) -> TransferOrder {
    var order = self
    order.request.add(fields)
    return order
  }

  func makeTask(in session: URLSession) -> URLSessionTask {
    switch source {
    case .data(let data): session.uploadTask(with: request, from: data)
    case .file(let file): makeTask(in: session, file)
    case nil: session.dataTask(with: request)
    }
  }

  private func makeTask(in session: URLSession, _ file: URL) -> URLSessionTask {
    #if canImport(FoundationNetworking)
      // Foundation on Linux reads a file ahead, and stops the program if the task has been cancelled by the time that
      // it has read something. A stream, which the delegate gives it, is read when something can be sent.
      if let size = uploadSize, size > 0 {
        var request = request
        request.bodyLength = size
        return session.uploadTask(withStreamedRequest: request)
      }
    #endif
    return session.uploadTask(with: request, fromFile: file)
  }

  /// The bytes of the file that is to be sent, from its beginning.
  func makeStream() -> InputStream? {
    guard case .file(let file)? = source else { return nil }
    return InputStream(url: file)
  }
}

#if canImport(FoundationNetworking)
  extension URLRequest {
    /// How long the body is, of which Foundation knows a stream only; `nil` when there is none.
    ///
    /// Otherwise the body of a stream goes in chunks, which not every server takes. A blank field is not sent, but
    /// keeps the library below Foundation from setting its own.
    var bodyLength: Int64? {
      get { value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) } }
      set {
        setValue(newValue.map { "\($0)" }, forHTTPHeaderField: "Content-Length")
        setValue(newValue.map { _ in " " }, forHTTPHeaderField: "Transfer-Encoding")
      }
    }
  }
#endif
