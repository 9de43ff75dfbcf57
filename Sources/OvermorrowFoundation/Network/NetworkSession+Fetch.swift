public import Foundation
public import Overmorrow

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension NetworkSession {
  /// Sends a request, and promises the response with its body in memory.
  ///
  /// ```swift
  /// let people = session.fetch("https://example.org/people")
  /// let sent = session.fetch(url, method: .post, headers: ["Content-Type": "application/json"], body: body)
  /// ```
  ///
  /// Redirections are followed.
  ///
  /// - Fulfils: with the response, whatever its status.
  /// - Fails: with a ``NetworkError``, where there is no whole response, or the request cannot be sent.
  /// - Cancels: at once when that is asked for, or by `task`; the connection is then given up.
  /// - Pauses: by `task`, or by the pause that it was made with. See ``NetworkTask/suspend()``.
  /// - Runs on: the promise is resolved, and the closures of the policy run, on a queue of the session.
  /// - Parameters:
  ///   - resource: Where the resource is, as a `String` or a `URL`, or a `URLRequest`.
  ///   - method: What to do with it; `nil` means to get it, or what the request says.
  ///   - headers: Header fields, besides those of a request.
  ///   - body: What to send along, instead of the body of a request.
  ///   - policy: How often to try, after which errors, and how long to wait in between. By default there is one
  ///     attempt. A response with a bad status is no error, but for
  ///     ``Overmorrow/PromiseRetryPolicy/http(attempts:backoff:deadline:statuses:methods:longestWait:)``.
  ///   - task: A new one, to suspend, resume or cancel the request by.
  ///   - onProgress: Learns how many bytes of the body have come.
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
