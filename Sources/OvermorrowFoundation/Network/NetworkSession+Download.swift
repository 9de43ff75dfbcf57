public import Foundation
public import Overmorrow
internal import OvermorrowEngine
public import OvermorrowFlow

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension NetworkSession {
  /// Sends a request and returns a promise for the response with its body in a file.
  ///
  /// While the body arrives, the session writes the body to a temporary file beside the destination. When the body is
  /// complete, the temporary file replaces the file at the destination. So the destination contains either the whole
  /// body or its former content, and no other file is left behind. The new file has the permissions of the old file. If
  /// the destination is a symbolic link, the link stays, and its target file is created or replaced. A response whose
  /// status does not mean success leaves the destination unchanged. The first mebibyte of the body of such a response
  /// is in ``HTTPResponse/data``, and ``HTTPResponse/location`` is `nil`.
  ///
  /// - Fulfils: with the response, whatever its status, when the file is at its destination.
  /// - Fails: with a ``NetworkError`` if the response is incomplete, the request cannot be sent, or the file cannot be
  ///   written.
  /// - Cancels: at once when cancellation is requested, or by `task`. The connection is then abandoned.
  /// - Pauses: by `task`, or by the pause that the task was created with. See ``NetworkTask/suspend()``.
  /// - Runs on: a queue of the request. The promise is resolved and the closures of the policy run on this queue.
  /// - Parameters:
  ///   - resource: The resource: a `String`, a `URL`, a `URLRequest` or another `URLRequestConvertible`.
  ///   - destination: The file to create or replace. Its folder must exist.
  ///   - method: The HTTP method; `nil` keeps the method of `resource`, but with a `body`, `GET` becomes `POST`.
  ///   - headers: The header fields. They are added to the fields of `resource`, and replace fields of the same names.
  ///   - body: The request body; `nil` keeps the body of `resource`.
  ///   - policy: The policy for the number of attempts, the errors after which another attempt begins, and the delays
  ///     between attempts. By default, there is one attempt. Each attempt starts from the beginning. A response with an
  ///     error status is not an error for a policy, except for
  ///     ``OvermorrowFlow/PromiseRetryPolicy/http(attempts:backoff:deadline:statuses:methods:longestWait:)``.
  ///   - task: An unused task, which can suspend, resume and cancel the request.
  ///   - onProgress: A closure that is called with the number of bytes received.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  public func download(
    _ resource: some URLRequestConvertible, to destination: URL, method: HTTPMethod? = nil,
    headers: [String: String] = [:], body: Data? = nil,
    retry policy: PromiseRetryPolicy<any Error> = PromiseRetryPolicy(attempts: 1),
    task: NetworkTask = NetworkTask(), onProgress: NetworkProgressHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise<HTTPResponse, any Error> {
    send(retry: policy, task: task, onProgress, at: CallSite(fileID, line)) { () throws(NetworkError) in
      let request = try URLRequest(resource, method: method, headers: headers, body: body)
      return TransferOrder(request: request, destination: destination)
    }
  }
}
