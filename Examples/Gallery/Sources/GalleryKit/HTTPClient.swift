import Foundation
import Overmorrow

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Loads what is at an address, as a promise.
struct HTTPClient: Sendable {
  private let session: URLSession

  /// A client that opens up to `connections` connections to a server, and gives up one that has been silent for
  /// `silence`.
  ///
  /// A session has limits of its own for both, which would otherwise come before those of its caller.
  init(connections: Int, silence: Duration) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = connections
    configuration.timeoutIntervalForRequest = silence / .seconds(1)
    configuration.urlCache = nil
    session = URLSession(configuration: configuration)
  }

  /// Loads the body of a successful answer.
  ///
  /// - Fulfils: with the body.
  /// - Fails: with ``GalleryError/unreachable(_:reason:)``, ``GalleryError/brokenOff(_:reason:)`` or
  ///   ``GalleryError/status(_:code:)``.
  /// - Cancels: when asked to: the connection is closed.
  func get(_ url: URL) -> Promise<Data, GalleryError> {
    send(url)
      // From `any Error` to the errors of this program: from here on the compiler knows all that can go wrong.
      .mapError(on: .immediate) { GalleryError(loading: url, error: $0) }
      .map(on: .immediate) { answer throws(GalleryError) in
        guard 200..<300 ~= answer.status else { throw .status(url, code: answer.status) }
        return answer.body
      }
  }

  private struct Answer {
    var status: Int
    var body: Data
  }

  /// Wraps a task of `URLSession`, whose callback gives an answer or an error.
  ///
  /// The bodies here may run on `.immediate`, that is on whatever thread comes along: they only start and cancel a
  /// task.
  private func send(_ url: URL) -> Promise<Answer, any Error> {
    Promise(on: .immediate) { resolver in
      let callback = resolver.handleCallback(isCancelError: { ($0 as? URLError)?.code == .cancelled })
      let task = session.dataTask(with: url) { body, response, error in
        // Half an answer may come along with an error, and the callback takes a value over an error.
        let answer = (response as? HTTPURLResponse).map { Answer(status: $0.statusCode, body: body ?? Data()) }
        callback(error == nil ? answer : nil, error)
      }
      resolver.onRequestCancel(on: .immediate) { _ in task.cancel() }
      task.resume()
    }
  }
}
