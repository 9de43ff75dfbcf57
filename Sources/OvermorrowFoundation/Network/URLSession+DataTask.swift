public import Foundation
public import Overmorrow

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession {
  /// Starts a data task of this session and returns a promise for its result.
  ///
  /// Use this method with an existing session, or for a scheme other than HTTP. ``NetworkSession`` has more features.
  ///
  /// - Fulfils: with the data and the response.
  /// - Fails: with the error of the task, usually a `URLError`. If the task reports no error and no response, with
  ///   `PromiseError.callbackWithoutResult`.
  /// - Cancels: when the task is cancelled. A request to cancel cancels the task at once.
  /// - Runs on: the promise is resolved on the session's delegate queue. A request to cancel resolves the promise on
  ///   the thread of the request.
  /// - Parameters:
  ///   - request: The request to load. The task starts at once.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  public func dataTaskAsPromise(
    for request: URLRequest, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise<(data: Data, response: URLResponse), any Error> {
    Promise(on: .immediate, fileID: fileID, line: line) { resolver in
      let end = TaskEnd()
      let task = self.dataTask(with: request) { data, response, error in
        end.markEnded()
        if let data, let response {
          resolver.fulfill(with: (data, response))
        } else if (error as? URLError)?.code == .cancelled {
          resolver.cancel()
        } else {
          resolver.reject(with: error ?? PromiseError.callbackWithoutResult)
        }
      }
      resolver.onRequestCancel(on: .immediate) { resolver in
        end.markEnded { task.cancel() }
        resolver.cancel()
      }
      task.resume()
    }
  }

  /// Starts a data task of this session for a URL and returns a promise for its result.
  ///
  /// Behaves like ``dataTaskAsPromise(for:fileID:line:)-(URLRequest,_,_)``.
  ///
  /// - Parameters:
  ///   - url: The URL to load. The task starts at once.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  public func dataTaskAsPromise(
    for url: URL, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise<(data: Data, response: URLResponse), any Error> {
    dataTaskAsPromise(for: URLRequest(url: url), fileID: fileID, line: line)
  }
}
