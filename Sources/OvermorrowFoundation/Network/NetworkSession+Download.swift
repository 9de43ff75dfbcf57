public import Foundation
public import Overmorrow

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension NetworkSession {
  /// Sends a request, and promises the response with its body in a file.
  ///
  /// The body is written while it comes, to a file beside the destination, which then replaces what is there. So the
  /// destination has the whole body or what it had before, and nothing else is left behind, whatever happens. The new file
  /// has the permissions of the old one; a symbolic link stays, and what it leads to is made or replaced. A response
  /// whose status is not one of success does not touch the destination: the first mebibyte of its body is in
  /// ``HTTPResponse/data``, and its ``HTTPResponse/location`` is `nil`.
  ///
  /// - Fulfils: with the response, whatever its status, when the file is in its place.
  /// - Fails: with a ``NetworkError``, where there is no whole response, or the file cannot be written.
  /// - Cancels: at once when that is asked for, or by `task`; the connection is then given up.
  /// - Pauses: by `task`, or by the pause that it was made with. See ``NetworkTask/suspend()``.
  /// - Runs on: the promise is resolved, and the closures of the policy run, on a queue of the session.
  /// - Parameters:
  ///   - request: What to send.
  ///   - destination: The file to make or to replace. Its folder has to be there.
  ///   - policy: How often to try, after which errors, and how long to wait in between. By default there is one attempt,
  ///     and each begins from the start. A response with a bad status is no error.
  ///   - task: A new one, to suspend, resume or cancel the request by.
  ///   - onProgress: Learns how many bytes of the body have come.
  ///   - fileID: Where the promise is made, for `PromiseDiagnostics`: filled in by the compiler.
  ///   - line: Where the promise is made: filled in by the compiler.
  public func download(
    _ request: URLRequest, to destination: URL,
    retry policy: PromiseRetryPolicy<any Error> = PromiseRetryPolicy(attempts: 1),
    task: NetworkTask = NetworkTask(), onProgress: NetworkProgressHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise<HTTPResponse, any Error> {
    send(
      TransferOrder(request: request, destination: destination), retry: policy, task: task, onProgress,
      at: CallSite(fileID, line))
  }

  /// Sends a request to an address, and promises the response with its body in a file.
  ///
  /// Behaves as ``download(_:to:retry:task:onProgress:fileID:line:)``.
  ///
  /// - Fails: also with `NetworkError.badAddress` and `NetworkError.badHeader`.
  /// - Parameters:
  ///   - address: Where the resource is.
  ///   - destination: The file to make or to replace. Its folder has to be there.
  ///   - method: What to do with the resource.
  ///   - headers: Header fields.
  ///   - body: What to send along.
  ///   - policy: How often to try, after which errors, and how long to wait in between.
  ///   - task: A new one, to suspend, resume or cancel the request by.
  ///   - onProgress: Learns how many bytes of the body have come.
  ///   - fileID: Where the promise is made, for `PromiseDiagnostics`: filled in by the compiler.
  ///   - line: Where the promise is made: filled in by the compiler.
  public func download(
    _ address: String, to destination: URL, method: HTTPMethod = .get, headers: [String: String] = [:],
    body: Data? = nil, retry policy: PromiseRetryPolicy<any Error> = PromiseRetryPolicy(attempts: 1),
    task: NetworkTask = NetworkTask(), onProgress: NetworkProgressHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise<HTTPResponse, any Error> {
    rejectedIfThrown(at: CallSite(fileID, line)) { () throws(NetworkError) in
      let request = try URLRequest(address, method: method, headers: headers, body: body)
      return download(
        request, to: destination, retry: policy, task: task, onProgress: onProgress, fileID: fileID, line: line)
    }
  }
}
