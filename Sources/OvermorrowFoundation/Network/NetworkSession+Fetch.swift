public import Foundation
public import Overmorrow

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension NetworkSession {
  /// Sends a request, and promises the response with its body in memory.
  ///
  /// Redirections are followed.
  ///
  /// - Fulfils: with the response, whatever its status.
  /// - Fails: with a ``NetworkError``, where there is no whole response.
  /// - Cancels: at once when that is asked for, or by `task`; the connection is then given up.
  /// - Pauses: by `task`, or by the pause that it was made with. See ``NetworkTask/suspend()``.
  /// - Runs on: the promise is resolved, and the closures of the policy run, on a queue of the session.
  /// - Parameters:
  ///   - request: What to send.
  ///   - policy: How often to try, after which errors, and how long to wait in between. By default there is one attempt.
  ///     A response with a bad status is no error.
  ///   - task: A new one, to suspend, resume or cancel the request by.
  ///   - onProgress: Learns how many bytes of the body have come.
  ///   - fileID: Where the promise is made, for `PromiseDiagnostics`: filled in by the compiler.
  ///   - line: Where the promise is made: filled in by the compiler.
  public func fetch(
    _ request: URLRequest, retry policy: PromiseRetryPolicy<any Error> = PromiseRetryPolicy(attempts: 1),
    task: NetworkTask = NetworkTask(), onProgress: NetworkProgressHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise<HTTPResponse, any Error> {
    send(TransferOrder(request: request), retry: policy, task: task, onProgress, at: CallSite(fileID, line))
  }

  /// Sends a request to an address, and promises the response with its body in memory.
  ///
  /// Behaves as ``fetch(_:retry:task:onProgress:fileID:line:)``.
  ///
  /// ```swift
  /// let sent = session.fetch(address, method: .post, headers: ["Content-Type": "application/json"], body: body)
  /// ```
  ///
  /// - Fails: also with `NetworkError.badAddress` and `NetworkError.badHeader`.
  /// - Parameters:
  ///   - address: Where the resource is.
  ///   - method: What to do with it.
  ///   - headers: Header fields.
  ///   - body: What to send along.
  ///   - policy: How often to try, after which errors, and how long to wait in between.
  ///   - task: A new one, to suspend, resume or cancel the request by.
  ///   - onProgress: Learns how many bytes of the body have come.
  ///   - fileID: Where the promise is made, for `PromiseDiagnostics`: filled in by the compiler.
  ///   - line: Where the promise is made: filled in by the compiler.
  public func fetch(
    _ address: String, method: HTTPMethod = .get, headers: [String: String] = [:], body: Data? = nil,
    retry policy: PromiseRetryPolicy<any Error> = PromiseRetryPolicy(attempts: 1), task: NetworkTask = NetworkTask(),
    onProgress: NetworkProgressHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise<HTTPResponse, any Error> {
    rejectedIfThrown(at: CallSite(fileID, line)) { () throws(NetworkError) in
      let request = try URLRequest(address, method: method, headers: headers, body: body)
      return fetch(request, retry: policy, task: task, onProgress: onProgress, fileID: fileID, line: line)
    }
  }

  func rejectedIfThrown(
    at site: CallSite, _ send: () throws(NetworkError) -> Promise<HTTPResponse, any Error>
  ) -> Promise<HTTPResponse, any Error> {
    do throws(NetworkError) { return try send() } catch { return Promise(with: .error(error), site: site) }
  }
}
