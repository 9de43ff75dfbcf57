public import Overmorrow

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension NetworkSession {
  /// Sends a request with a body from memory or from a file, and promises the response with its body in memory.
  ///
  /// A file is read while it is sent, and once more for each attempt; it should not change meanwhile.
  ///
  /// - Fulfils: with the response, whatever its status.
  /// - Fails: with a ``NetworkError``, where there is no whole response, or the file cannot be read.
  /// - Cancels: at once when that is asked for, or by `task`; the connection is then given up.
  /// - Pauses: by `task`, or by the pause that it was made with. See ``NetworkTask/suspend()``.
  /// - Runs on: the promise is resolved, and the closures of the policy run, on a queue of the session.
  /// - Parameters:
  ///   - source: What to send.
  ///   - request: Where to send it, with which method. A body of its own is not sent.
  ///   - policy: How often to try, after which errors, and how long to wait in between. By default there is one attempt.
  ///     A response with a bad status is no error.
  ///   - task: A new one, to suspend, resume or cancel the request by.
  ///   - onProgress: Learns how many bytes of the source have gone.
  ///   - fileID: Where the promise is made, for `PromiseDiagnostics`: filled in by the compiler.
  ///   - line: Where the promise is made: filled in by the compiler.
  public func upload(
    _ source: UploadSource, with request: URLRequest,
    retry policy: PromiseRetryPolicy<any Error> = PromiseRetryPolicy(attempts: 1),
    task: NetworkTask = NetworkTask(), onProgress: NetworkProgressHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise<HTTPResponse, any Error> {
    rejectedIfThrown(at: CallSite(fileID, line)) { () throws(NetworkError) in
      var request = request
      request.httpBody = nil
      let order = TransferOrder(request: request, source: source, uploadSize: try source.size())
      return send(order, retry: policy, task: task, onProgress, at: CallSite(fileID, line))
    }
  }

  /// Sends a body from memory or from a file to an address, and promises the response with its body in memory.
  ///
  /// Behaves as ``upload(_:with:retry:task:onProgress:fileID:line:)``.
  ///
  /// ```swift
  /// let upload = session.upload(.file(film), to: address, method: .put)
  /// ```
  ///
  /// - Fails: also with `NetworkError.badAddress` and `NetworkError.badHeader`.
  /// - Parameters:
  ///   - source: What to send.
  ///   - address: Where to send it.
  ///   - method: What is to be done with it.
  ///   - headers: Header fields.
  ///   - policy: How often to try, after which errors, and how long to wait in between.
  ///   - task: A new one, to suspend, resume or cancel the request by.
  ///   - onProgress: Learns how many bytes of the source have gone.
  ///   - fileID: Where the promise is made, for `PromiseDiagnostics`: filled in by the compiler.
  ///   - line: Where the promise is made: filled in by the compiler.
  public func upload(
    _ source: UploadSource, to address: String, method: HTTPMethod = .post, headers: [String: String] = [:],
    retry policy: PromiseRetryPolicy<any Error> = PromiseRetryPolicy(attempts: 1), task: NetworkTask = NetworkTask(),
    onProgress: NetworkProgressHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise<HTTPResponse, any Error> {
    rejectedIfThrown(at: CallSite(fileID, line)) { () throws(NetworkError) in
      let request = try URLRequest(address, method: method, headers: headers)
      return upload(
        source, with: request, retry: policy, task: task, onProgress: onProgress, fileID: fileID, line: line)
    }
  }
}
