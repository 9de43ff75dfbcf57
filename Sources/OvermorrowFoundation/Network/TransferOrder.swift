internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The request and the destination of its response, the same for all attempts.
struct TransferOrder: Sendable {
  var request: URLRequest
  var source: UploadSource?
  /// The size of the upload; `nil` if progress counts the response.
  var uploadSize: Int64?
  var destination: URL?
  /// Whether the body of a response whose status does not mean success is also written to the destination.
  var takesAnyStatus = false
  /// The statuses that end an attempt with an error, so that a policy can see them.
  var retriedStatuses: Set<Int> = []

  /// Whether the request has a body, which may be empty.
  var hasBody: Bool { source != nil || request.httpBody != nil }

  /// Whether the body is a stream of the caller, which can be read only once.
  var isBodyOnce: Bool { request.httpBodyStream != nil }

  /// The length of the body.
  var bodyLength: Int64 { uploadSize ?? Int64(request.httpBody?.count ?? 0) }

  /// Returns the same order with these fields added, unless the request has fields of the same names.
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
      // Foundation on Linux reads a file ahead, and crashes if the task has been cancelled when the read returns. A
      // stream, which the delegate provides, is read only when data can be sent.
      if let size = uploadSize, size > 0 {
        var request = request
        request.setStreamLength(size)
        return session.uploadTask(withStreamedRequest: request)
      }
    #endif
    return session.uploadTask(with: request, fromFile: file)
  }

  /// Returns a stream of the file to send, from its beginning; `nil` if the body is not sent from a stream.
  func makeStream() -> InputStream? {
    guard case .file(let file)? = source, bodyLength > 0 else { return nil }
    return InputStream(url: file)
  }
}

#if canImport(FoundationNetworking)
  extension URLRequest {
    /// Sets the length of a body that Foundation sends from a stream.
    ///
    /// Without this length, Foundation sends a stream in chunks, which not every server accepts. The blank
    /// `Transfer-Encoding` field is not sent, but prevents the library below Foundation from setting its own.
    mutating func setStreamLength(_ length: Int64) {
      setValue("\(length)", forHTTPHeaderField: "Content-Length")
      setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
    }
  }
#endif
