public import Foundation
public import Overmorrow
internal import OvermorrowEngine
public import OvermorrowFlow

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension NetworkSession {
  /// Sends a request and returns a promise for the response with its body in memory.
  ///
  /// ```swift
  /// let people = session.fetch("https://example.org/people")
  /// let sent = session.fetch(url, method: .post, headers: ["Content-Type": "application/json"], body: body)
  /// ```
  ///
  /// Redirections are followed. If the method stays the same, the body is sent again. On Linux, a body from an
  /// `httpBodyStream` cannot be sent again. A redirection that requires the body is then not followed, and the response
  /// that redirects fulfils the promise.
  ///
  /// - Fulfils: with the response, whatever its status.
  /// - Fails: with a ``NetworkError`` if the response is incomplete or the request cannot be sent.
  /// - Cancels: at once when cancellation is requested, or by `task`. The connection is then abandoned.
  /// - Pauses: by `task`, or by the pause that the task was created with. See ``NetworkTask/suspend()``.
  /// - Runs on: a queue of the request. The promise is resolved and the closures of the policy run on this queue.
  /// - Parameters:
  ///   - resource: The resource: a `String`, a `URL`, a `URLRequest` or another `URLRequestConvertible`.
  ///   - method: The HTTP method; `nil` keeps the method of `resource`, but with a `body`, `GET` becomes `POST`.
  ///   - headers: The header fields. They are added to the fields of `resource`, and replace fields of the same names.
  ///   - body: The request body; `nil` keeps the body of `resource`.
  ///   - policy: The policy for the number of attempts, the errors after which another attempt begins, and the delays
  ///     between attempts. By default, there is one attempt. A response with an error status is not an error for a
  ///     policy, except for
  ///     ``OvermorrowFlow/PromiseRetryPolicy/http(attempts:backoff:deadline:statuses:methods:longestWait:)``.
  ///   - task: An unused task, which can suspend, resume and cancel the request.
  ///   - onProgress: A closure that is called with the number of bytes received.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  public func fetch(
    _ resource: some URLRequestConvertible, method: HTTPMethod? = nil, headers: [String: String] = [:],
    body: Data? = nil, retry policy: PromiseRetryPolicy<any Error> = PromiseRetryPolicy(attempts: 1),
    task: NetworkTask = NetworkTask(), onProgress: NetworkProgressHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise<HTTPResponse, any Error> {
    send(retry: policy, task: task, onProgress, at: CallSite(fileID, line)) { () throws(NetworkError) in
      TransferOrder(request: try URLRequest(resource, method: method, headers: headers, body: body))
    }
  }
}
