public import Foundation
public import Overmorrow

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession {
  /// A data task of this session, with a promise for its result.
  ///
  /// For existing sessions, and for addresses other than HTTP's; ``NetworkSession`` does more.
  ///
  /// - Fulfils: with the data and the response.
  /// - Fails: with the error of the task, usually a `URLError`.
  /// - Cancels: when the task is cancelled, which a request to cancel does at once.
  /// - Runs on: the promise is resolved on the session's delegate queue.
  /// - Parameter request: What to load. The task begins at once.
  public func dataTaskAsPromise(for request: URLRequest) -> Promise<(data: Data, response: URLResponse), any Error> {
    Promise(on: .immediate) { resolver in
      let end = TaskEnd()
      let task = self.dataTask(with: request) { data, response, error in
        end.reach()
        if let data, let response {
          resolver.fulfill(with: (data, response))
        } else if (error as? URLError)?.code == .cancelled {
          resolver.cancel()
        } else {
          resolver.reject(with: error ?? PromiseError.callbackWithoutResult)
        }
      }
      resolver.onRequestCancel(on: .immediate) { resolver in
        end.reach { task.cancel() }
        resolver.cancel()
      }
      task.resume()
    }
  }

  /// A data task of this session for a URL, with a promise for its result.
  ///
  /// Behaves as ``dataTaskAsPromise(for:)-(URLRequest)``.
  ///
  /// - Parameter url: What to load. The task begins at once.
  public func dataTaskAsPromise(for url: URL) -> Promise<(data: Data, response: URLResponse), any Error> {
    dataTaskAsPromise(for: URLRequest(url: url))
  }
}
