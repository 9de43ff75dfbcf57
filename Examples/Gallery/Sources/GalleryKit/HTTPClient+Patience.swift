import Foundation
import Overmorrow

/// How long to wait for something, and how often to try.
struct Patience: Sendable {
  /// The time for all attempts together.
  var limit: Duration

  /// When and how often to try again.
  var retry: RetryPolicy

  /// The clock that measures the time and the pauses.
  var clock: any Clock<Duration>
}

extension HTTPClient {
  /// Loads the body of a successful answer, trying again if the server is only busy, within a time limit.
  ///
  /// - Fulfils: with the body.
  /// - Fails: as ``get(_:)``, or with ``GalleryError/timedOut(_:limit:)``; then the attempt on its way is cancelled.
  /// - Cancels: when asked to, whether an attempt is on its way or there is a pause.
  ///
  /// - Parameter willRetry: Called when an attempt has failed, with the number of attempts so far and the error.
  func get(
    _ url: URL, patience: Patience, willRetry: @escaping @Sendable (_ attempts: Int, GalleryError) -> Void = { _, _ in }
  ) -> Promise<Data, GalleryError> {
    patience.retry
      .run(
        on: .utility,
        clock: patience.clock,
        isWorthwhile: \.isTransient,
        willRetry: willRetry,
        attempt: { get(url) }
      )
      .timeout(on: .utility, patience.limit, clock: patience.clock)
      // A timeout widens the error, so that the compiler insists on an answer to what happens then.
      .mapError(on: .immediate) { error in
        switch error {
        case .timedOut: GalleryError.timedOut(url, limit: patience.limit)
        case .rejected(let error): error
        }
      }
  }
}
