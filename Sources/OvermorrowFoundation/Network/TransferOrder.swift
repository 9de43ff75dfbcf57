internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The request and the destination of its response, the same for all attempts.
struct TransferOrder: Sendable {
  var request: URLRequest
  var source: UploadSource?
  /// The size of the upload; `nil` if the progress counts the bytes of the response.
  var uploadSize: Int64?
  var destination: URL?
  /// Whether the body of a response whose status does not mean success is also written to the destination.
  var takesAnyStatus = false
  /// The statuses that end an attempt with an error. A policy receives these errors.
  var retriedStatuses: Set<Int> = []

  /// Whether the request has a body that can be sent again. The body may be empty.
  var hasBody: Bool { source != nil || request.httpBody != nil }

  /// Whether the body is a stream of the caller. Such a stream can be read only once.
  var isBodyOnce: Bool { request.httpBodyStream != nil }

  /// The length of the body in bytes; 0 if there is no body, or if the body is a stream of the caller.
  var bodyLength: Int64 { uploadSize ?? Int64(request.httpBody?.count ?? 0) }

  /// Returns this order with header fields added to its request. A field that the request already has stays unchanged.
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
      // Foundation on Linux reads a file ahead, and crashes if the task has been cancelled when the read returns.
      // Therefore the delegate provides a stream. Foundation reads the stream only when data can be sent.
      if let size = uploadSize, size > 0 {
        var request = request
        request.setStreamLength(size)
        return session.uploadTask(withStreamedRequest: request)
      }
    #endif
    return session.uploadTask(with: request, fromFile: file)
  }

  /// Returns a stream that reads the file to send from the beginning; `nil` if the body is not in a file or is empty.
  func makeStream() -> InputStream? {
    guard case .file(let file)? = source, bodyLength > 0 else { return nil }
    return InputStream(url: file)
  }
}

#if canImport(FoundationNetworking)
  extension URLRequest {
    /// Sets the length of a body that Foundation sends from a stream.
    ///
    /// Without this length, Foundation sends the body in chunks. Not every server accepts chunks. The blank
    /// `Transfer-Encoding` field is not sent, but prevents the library below Foundation from adding its own
    /// `Transfer-Encoding` field.
    mutating func setStreamLength(_ length: Int64) {
      setValue("\(length)", forHTTPHeaderField: "Content-Length")
      setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
    }
  }
#endif
