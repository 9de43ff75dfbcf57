import Foundation
import Overmorrow
import OvermorrowFlow

/// Loads a server's list of users and all their avatars, and makes a contact sheet of them.
package struct Gallery: Sendable {
  /// The server, the output folder, and the limits of the work.
  package struct Settings: Sendable {
    /// The server, whose list is at `users`.
    package var server: URL

    /// The folder for the contact sheet.
    package var output: URL

    /// The maximum number of avatars that are loaded at a time.
    package var concurrency = 6

    /// The time limit for an avatar or the list, for all attempts together.
    package var timeout: Duration = .seconds(10)

    /// The policy for further attempts.
    package var retry = PromiseRetryPolicy<GalleryError>(attempts: 4, backoff: .exponential(.milliseconds(100)))
      .onlyIf(\.isTransient)

    /// The clock that measures timeouts and pauses.
    package var clock: any Clock<Duration> = ContinuousClock()

    package init(server: URL, output: URL) {
      self.server = server
      self.output = output
    }
  }

  private let settings: Settings
  private let client: HTTPClient

  package init(_ settings: Settings) {
    self.settings = settings
    client = settings.makeClient()
  }

  /// Makes the contact sheet.
  ///
  /// - Fulfils: with a summary, even if some avatars could not be loaded.
  /// - Fails: if the list cannot be loaded or the folder cannot be written to.
  /// - Cancels: when requested, or when the token is invalidated: connections are closed, waiting avatars are dropped,
  ///   and written files are removed. The promise is resolved after that.
  /// - Runs on: `.utility`; `report` on `context`.
  ///
  /// - Parameters:
  ///   - token: A token whose invalidation stops all work.
  ///   - context: The context of `report`. It should be serial.
  ///   - report: Called for each event, until the token is invalidated.
  package func make(
    token: PromiseInvalidationToken,
    reportingOn context: PromiseContext,
    report: @escaping @Sendable (GalleryEvent) -> Void
  ) -> Promise<Summary, GalleryError> {
    let reporter = Reporter(on: context, token: token, receive: report)
    let start = ContinuousClock.now

    return OutputFolder.open(settings.output)
      // No token here: the folder already exists, and the `always` below must run to clean up.
      .flatMap(on: .utility) { folder in
        loadUsers()
          .flatMap(on: .utility, token: token) { users in
            reporter(.listed(count: users.count))
            return pictureLoader(folder, reporter).load(users, token: token)
              // This promise cannot fail, but the chain can, so this step converts the failure type. Its closure is
              // never called.
              .mapError(on: .immediate) { (_: Never) -> GalleryError in }
          }
          // If the token is invalidated before this step starts, the step does not run and its promise is cancelled.
          // After it has started, the whole sheet is published.
          .map(on: .utility, token: token) { outcomes throws(GalleryError) in
            try folder.publish(ContactSheet(source: settings.server.absoluteString, outcomes: outcomes))
            return Summary(outcomes: outcomes, sheet: folder.sheet, time: start.duration(to: .now))
          }
          // Runs whatever the result. The promise returned is resolved after it has finished.
          .always(on: .utility) { _ in folder.discard() }
      }
      // Values are passed down the chain. A request to cancel is passed up the chain, to the promise that is
      // unresolved.
      .requestCancelOnInvalidate(token)
  }

  private func loadUsers() -> Promise<[User], GalleryError> {
    let address = settings.server.appending(component: "users")
    return client.get(address, patience: settings.patience)
      .map(on: .utility) { answer throws(GalleryError) in try User.list(from: answer, of: address) }
  }

  private func pictureLoader(_ folder: OutputFolder, _ reporter: Reporter) -> PictureLoader {
    PictureLoader(
      server: settings.server,
      client: client,
      patience: settings.patience,
      concurrency: settings.concurrency,
      folder: folder,
      reporter: reporter
    )
  }
}

extension Gallery.Settings {
  var patience: Patience { Patience(limit: timeout, retry: retry, clock: clock) }

  func makeClient() -> HTTPClient { HTTPClient(connections: concurrency, silence: timeout + .seconds(60)) }
}
