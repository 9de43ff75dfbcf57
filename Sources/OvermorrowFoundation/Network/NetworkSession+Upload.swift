internal import Foundation
public import Overmorrow
internal import OvermorrowEngine
public import OvermorrowFlow

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension NetworkSession {
  /// Sends a request with a body from memory or from a file, and returns a promise for the response.
  ///
  /// ```swift
  /// let upload = session.upload(.file(film), to: address, method: .put)
  /// ```
  ///
  /// The body of the response is in memory.
  ///
  /// A file is read while it is sent, and is read again each time the request is sent again. The file must not change
  /// meanwhile.
  ///
  /// - Fulfils: with the response, whatever its status.
  /// - Fails: with a ``NetworkError`` if the response is incomplete, the request cannot be sent, or the file cannot be
  ///   read.
  /// - Cancels: at once when cancellation is requested, or by `task`. The connection is then abandoned.
  /// - Pauses: by `task`, or by the pause that the task was created with. See ``NetworkTask/suspend()``.
  /// - Runs on: a queue of the request. The promise is resolved and the closures of the policy run on this queue.
  /// - Parameters:
  ///   - source: The data or the file to send.
  ///   - resource: The resource to send to: a `String`, a `URL`, a `URLRequest` or another `URLRequestConvertible`. If
  ///     the resource is a request with a body, that body is ignored.
  ///   - method: The HTTP method; `nil` keeps the method of `resource`, but `GET` becomes `POST`.
  ///   - headers: The header fields. They are added to the fields of `resource`, and replace fields of the same names.
  ///   - policy: The policy for the number of attempts, the errors after which another attempt begins, and the delays
  ///     between attempts. By default, there is one attempt. A response with an error status is not an error for a
  ///     policy, except for
  ///     ``OvermorrowFlow/PromiseRetryPolicy/http(attempts:backoff:deadline:statuses:methods:longestWait:)``.
  ///   - task: An unused task, which can suspend, resume and cancel the request.
  ///   - onProgress: A closure that is called with the number of bytes sent.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  public func upload(
    _ source: UploadSource, to resource: some URLRequestConvertible, method: HTTPMethod? = nil,
    headers: [String: String] = [:],
    retry policy: PromiseRetryPolicy<any Error> = PromiseRetryPolicy(attempts: 1), task: NetworkTask = NetworkTask(),
    onProgress: NetworkProgressHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise<HTTPResponse, any Error> {
    send(retry: policy, task: task, onProgress, at: CallSite(fileID, line)) { () throws(NetworkError) in
      var request = try URLRequest(resource, method: method, headers: headers)
      if method == nil, request.httpMethod == HTTPMethod.get.rawValue { request.httpMethod = HTTPMethod.post.rawValue }
      request.httpBody = nil
      return TransferOrder(request: request, source: source, uploadSize: try source.size())
    }
  }
}
