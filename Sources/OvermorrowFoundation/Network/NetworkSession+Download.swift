public import Foundation
public import Overmorrow

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension NetworkSession {
  /// Sends a request, and promises the response with its body in a file.
  ///
  /// The body is written while it comes, to a file beside the destination, which then replaces what is there. So the
  /// destination has the whole body or what it had before, and nothing else is left behind, whatever happens. The new
  /// file has the permissions of the old one; a symbolic link stays, and what it leads to is made or replaced. A
  /// response whose status is not one of success does not touch the destination: the first mebibyte of its body is in
  /// ``HTTPResponse/data``, and its ``HTTPResponse/location`` is `nil`.
  ///
  /// - Fulfils: with the response, whatever its status, when the file is in its place.
  /// - Fails: with a ``NetworkError``, where there is no whole response, the request cannot be sent, or the file cannot
  ///   be written.
  /// - Cancels: at once when that is asked for, or by `task`; the connection is then given up.
  /// - Pauses: by `task`, or by the pause that it was made with. See ``NetworkTask/suspend()``.
  /// - Runs on: the promise is resolved, and the closures of the policy run, on a queue of the session.
  /// - Parameters:
  ///   - resource: Where the resource is, as a `String` or a `URL`, or a `URLRequest`.
  ///   - destination: The file to make or to replace. Its folder has to be there.
  ///   - method: What to do with the resource; `nil` means to get it, or what the request says.
  ///   - headers: Header fields, besides those of a request.
  ///   - body: What to send along, instead of the body of a request.
  ///   - policy: How often to try, after which errors, and how long to wait in between. By default there is one
  ///     attempt, and each begins from the start. A response with a bad status is no error, but for
  ///     ``Overmorrow/PromiseRetryPolicy/http(attempts:backoff:deadline:statuses:methods:longestWait:)``.
  ///   - task: A new one, to suspend, resume or cancel the request by.
  ///   - onProgress: Learns how many bytes of the body have come.
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
