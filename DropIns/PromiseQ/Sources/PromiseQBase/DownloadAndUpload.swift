public import Foundation
@_spi(Adapters) internal import OvermorrowFoundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A function that receives the progress of a request. Its arguments are the task of the request, the number of bytes
/// so far, and the total number of bytes. The total is -1 while it is unknown.
///
/// The function is called on a queue of the request. The calls do not overlap. The number of bytes never decreases.
public typealias Progress = (_ task: URLSessionTask, _ bytes: Int64, _ totalBytes: Int64) -> Void

/// Sends a request to an address and returns a promise for the response. The body of the response is in a temporary
/// file.
///
/// Suspending, resuming or cancelling the promise suspends, resumes or cancels the request. A response with any status
/// fulfils the promise. An address that is not a URL rejects the promise with the text "Bad URL", and an address whose
/// scheme is neither HTTP nor HTTPS rejects the promise with "Not HTTP".
///
/// - Parameters:
///   - path: The address of the resource.
///   - method: The HTTP method.
///   - headers: The header fields; none by default.
///   - body: The request body; none by default.
///   - retry: The maximum number of further attempts after an error; none by default.
///   - progress: The function to call with the number of bytes received.
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

/// Sends data to an address and returns a promise for the response.
///
/// Suspending, resuming or cancelling the promise suspends, resumes or cancels the request. A response with any status
/// fulfils the promise.
///
/// - Parameters:
///   - path: The address to send to.
///   - data: The request body.
///   - method: The HTTP method.
///   - headers: The header fields; none by default.
///   - retry: The maximum number of further attempts after an error; none by default.
///   - progress: The function to call with the number of bytes sent.
public func upload(
  _ path: String, data: Data, method: HTTPMethod = .POST, headers: [String: String]? = nil, retry: Int = 0,
  progress: Progress? = nil
) -> Promise<HTTPResponse> {
  upload(.data(data), to: path, method, headers, retry, progress)
}

/// Sends a file to an address and returns a promise for the response.
///
/// Suspending, resuming or cancelling the promise suspends, resumes or cancels the request. A response with any status
/// fulfils the promise. If the file does not exist, the promise is rejected with the text "File not found".
///
/// - Parameters:
///   - path: The address to send to.
///   - file: The file to send. The file is read while the request is sent.
///   - method: The HTTP method.
///   - headers: The header fields; none by default.
///   - retry: The maximum number of further attempts after an error; none by default.
///   - progress: The function to call with the number of bytes sent.
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
