internal import Foundation
public import Overmorrow

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension NetworkSession {
  /// Sends a request with a body from memory or from a file, and promises the response with its body in memory.
  ///
  /// ```swift
  /// let upload = session.upload(.file(film), to: address, method: .put)
  /// ```
  ///
  /// A file is read while it is sent, and once more for each attempt; it should not change meanwhile.
  ///
  /// - Fulfils: with the response, whatever its status.
  /// - Fails: with a ``NetworkError``, where there is no whole response, the request cannot be sent, or the file cannot
  ///   be read.
  /// - Cancels: at once when that is asked for, or by `task`; the connection is then given up.
  /// - Pauses: by `task`, or by the pause that it was made with. See ``NetworkTask/suspend()``.
  /// - Runs on: the promise is resolved, and the closures of the policy run, on a queue of the session.
  /// - Parameters:
  ///   - source: What to send.
  ///   - resource: Where to send it, as a `String` or a `URL`, or a `URLRequest`, whose body is not sent.
  ///   - method: What is to be done with it; `nil` means what the request says, or `POST` if that is `GET`.
  ///   - headers: Header fields, besides those of a request.
  ///   - policy: How often to try, after which errors, and how long to wait in between. By default there is one
  ///     attempt. A response with a bad status is no error, but for
  ///     ``Overmorrow/PromiseRetryPolicy/http(attempts:backoff:deadline:statuses:methods:longestWait:)``.
  ///   - task: A new one, to suspend, resume or cancel the request by.
  ///   - onProgress: Learns how many bytes of the source have gone.
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
