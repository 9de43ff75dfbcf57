import Foundation
import Overmorrow
import OvermorrowFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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

  /// Loads the body of a successful answer.
  ///
  /// - Fulfils: with the body.
  /// - Fails: with ``GalleryError/unreachable(_:reason:)``, ``GalleryError/brokenOff(_:reason:)`` or
  ///   ``GalleryError/status(_:code:)``.
  /// - Cancels: when asked to: the connection is closed.
  func get(_ url: URL) -> Promise<Data, GalleryError> {
    session.fetch(URLRequest(url: url))
      // From `any Error` to the errors of this program: from here on the compiler knows all that can go wrong.
      .mapError(on: .immediate) { GalleryError(loading: url, error: $0) }
      .map(on: .immediate) { response throws(GalleryError) in
        guard response.isOK else { throw .status(url, code: response.statusCode) }
        return response.data
      }
  }
}
