public import Foundation
internal import OvermorrowFoundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Learns how far a request has come: its task, the number of bytes so far, and of all bytes; -1 while that is unknown.
///
/// Called on a queue of the session, one call at a time. The number never shrinks.
public typealias Progress = (_ task: URLSessionTask, _ bytes: Int64, _ totalBytes: Int64) -> Void

/// Sends a request to an address, and promises the response with its body in a temporary file.
///
/// Suspending, resuming and cancelling the promise does it to the request. Any status is a response with a file. An
/// address that is no URL rejects with the text "Bad URL", and one of another protocol with "Not HTTP".
///
/// - Parameters:
///   - path: Where the resource is.
///   - method: What to do with it.
///   - headers: Header fields.
///   - body: What to send along.
///   - retry: How often to try again after an error.
///   - progress: Learns how many bytes of the body have come.
public func download(
  _ path: String, method: HTTPMethod = .GET, headers: [String: String]? = nil, body: Data? = nil, retry: Int = 0,
  progress: Progress? = nil
) -> Promise<HTTPResponse> {
  send(to: path, method, headers, body) { request in
    Promise(progress, retry: retry) { task, onProgress in
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("pq_\(UUID().uuidString).tmp")
      return NetworkSession.shared.download(request, withAnyStatusTo: file, task: task, onProgress: onProgress)
    }
  }
}

/// Sends data to an address, and promises the response.
///
/// Suspending, resuming and cancelling the promise does it to the request. Any status is a response.
///
/// - Parameters:
///   - path: Where to send it.
///   - data: What to send.
///   - method: What to do with it.
///   - headers: Header fields.
///   - retry: How often to try again after an error.
///   - progress: Learns how many bytes have gone.
public func upload(
  _ path: String, data: Data, method: HTTPMethod = .POST, headers: [String: String]? = nil, retry: Int = 0,
  progress: Progress? = nil
) -> Promise<HTTPResponse> {
  upload(.data(data), to: path, method, headers, retry, progress)
}

/// Sends a file to an address, and promises the response.
///
/// Suspending, resuming and cancelling the promise does it to the request. Any status is a response. A file that is not
/// there rejects with the text "File not found".
///
/// - Parameters:
///   - path: Where to send it.
///   - file: What to send. It is read meanwhile.
///   - method: What to do with it.
///   - headers: Header fields.
///   - retry: How often to try again after an error.
///   - progress: Learns how many bytes have gone.
public func upload(
  _ path: String, file: URL, method: HTTPMethod = .POST, headers: [String: String]? = nil, retry: Int = 0,
  progress: Progress? = nil
) -> Promise<HTTPResponse> {
  guard FileManager.default.fileExists(atPath: file.path) else { return .reject("File not found") }
  return upload(.file(file), to: path, method, headers, retry, progress)
}

private func upload(
  _ source: UploadSource, to path: String, _ method: HTTPMethod, _ headers: [String: String]?, _ retry: Int,
  _ progress: Progress?
) -> Promise<HTTPResponse> {
  send(to: path, method, headers) { request in
    Promise(progress, retry: retry) { task, onProgress in
      NetworkSession.shared.upload(
        source, to: request, method: OvermorrowFoundation.HTTPMethod(method), task: task, onProgress: onProgress)
    }
  }
}
