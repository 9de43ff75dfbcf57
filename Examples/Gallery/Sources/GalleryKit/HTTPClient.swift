import Foundation
import Overmorrow
import OvermorrowFlow
import OvermorrowFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The time limit of a request and its policy for further attempts.
struct Patience: Sendable {
  /// The time limit for all attempts together.
  var limit: Duration

  /// The policy for further attempts.
  var retry: PromiseRetryPolicy<GalleryError>

  /// The clock that measures the time and the pauses.
  var clock: any Clock<Duration>
}

/// Loads resources, as promises.
struct HTTPClient: Sendable {
  private let session: NetworkSession

  /// Creates a client that opens up to `connections` connections to a server, and gives up a connection that has been
  /// silent for `silence`.
  ///
  /// A session has its own limits for both, which would otherwise apply before those of its caller.
  init(connections: Int, silence: Duration) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = connections
    configuration.timeoutIntervalForRequest = silence / .seconds(1)
    configuration.urlCache = nil
    session = NetworkSession(configuration: configuration)
  }

  /// Loads the body of a successful answer within a time limit, with the attempts that the policy allows.
  ///
  /// - Fulfils: with the body.
  /// - Fails: with ``GalleryError/unreachable(_:reason:)``, ``GalleryError/brokenOff(_:reason:)``,
  ///   ``GalleryError/status(_:code:)`` or ``GalleryError/timedOut(_:limit:)``. After a timeout, the current attempt is
  ///   cancelled.
  /// - Cancels: when requested, during an attempt or between two attempts. The connection is closed.
  ///
  /// - Parameter willRetry: Called after each failed attempt that another one follows, with its number and its error.
  func get(
    _ url: URL, patience: Patience, willRetry: @escaping @Sendable (_ attempts: Int, GalleryError) -> Void = { _, _ in }
  ) -> Promise<Data, GalleryError> {
    Promise.retry(patience.retry, on: .utility, clock: patience.clock) { number in
      // `tap` observes without a vote. It is registered before the observers of the retry, so it also runs before them.
      get(url).tap(on: .immediate) { result in
        if let error = result.error, number < patience.retry.attempts, error.isTransient { willRetry(number, error) }
      }
    }
    .timeout(on: .utility, patience.limit, clock: patience.clock)
    // A timeout changes the failure type, so the compiler requires that a timeout is handled.
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
      // Converts `any Error` to the errors of this program, so that from here on the compiler knows all possible
      // errors.
      .mapError(on: .immediate) { GalleryError(loading: url, error: $0) }
      .map(on: .immediate) { response throws(GalleryError) in
        guard response.isOK else { throw .status(url, code: response.statusCode) }
        return response.data
      }
  }
}
