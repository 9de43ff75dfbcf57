import Foundation
import Overmorrow
import OvermorrowFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How long to wait for something, and how often to try.
struct Patience: Sendable {
  /// The time for all attempts together.
  var limit: Duration

  /// How often to try again, after which errors, and how long to wait in between.
  var retry: PromiseRetryPolicy<GalleryError>

  /// The clock that measures the time and the pauses.
  var clock: any Clock<Duration>
}

/// Loads what is at an address, as a promise.
struct HTTPClient: Sendable {
  private let session: NetworkSession

  /// A client that opens up to `connections` connections to a server, and gives up one that has been silent for
  /// `silence`.
  ///
  /// A session has limits of its own for both, which would otherwise come before those of its caller.
  init(connections: Int, silence: Duration) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = connections
    configuration.timeoutIntervalForRequest = silence / .seconds(1)
    configuration.urlCache = nil
    session = NetworkSession(configuration: configuration)
  }

  /// Loads the body of a successful answer, trying again as the policy says, within a time limit.
  ///
  /// - Fulfils: with the body.
  /// - Fails: with ``GalleryError/unreachable(_:reason:)``, ``GalleryError/brokenOff(_:reason:)``,
  ///   ``GalleryError/status(_:code:)`` or ``GalleryError/timedOut(_:limit:)``; then the attempt on its way is cancelled.
  /// - Cancels: when asked to, whether an attempt is on its way or there is a pause: the connection is closed.
  ///
  /// - Parameter willRetry: Called when an attempt has failed after which there is another, with its number and the error.
  func get(
    _ url: URL, patience: Patience, willRetry: @escaping @Sendable (_ attempts: Int, GalleryError) -> Void = { _, _ in }
  ) -> Promise<Data, GalleryError> {
    Promise.retry(patience.retry, on: .utility, clock: patience.clock) { number in
      // `tap` looks on without taking part. Registered before what the retry registers, it also runs before.
      get(url).tap(on: .immediate) { result in
        if let error = result.error, number < patience.retry.attempts, error.isTransient { willRetry(number, error) }
      }
    }
    .timeout(on: .utility, patience.limit, clock: patience.clock)
    // A timeout widens the error, so that the compiler insists on an answer to what happens then.
    .mapError(on: .immediate) { error in
      switch error {
      case .timedOut: GalleryError.timedOut(url, limit: patience.limit)
      case .rejected(let error): error
      }
    }
  }

  /// Loads the body of a successful answer, in one attempt.
  private func get(_ url: URL) -> Promise<Data, GalleryError> {
    session.fetch(url)
      // From `any Error` to the errors of this program: from here on the compiler knows all that can go wrong.
      .mapError(on: .immediate) { GalleryError(loading: url, error: $0) }
      .map(on: .immediate) { response throws(GalleryError) in
        guard response.isOK else { throw .status(url, code: response.statusCode) }
        return response.data
      }
  }
}
