import Foundation
import Overmorrow

/// Loads the list of users of a server and all their avatars, and makes a contact sheet of them.
package struct Gallery: Sendable {
  /// What to load, where to put it, and how hard to try.
  package struct Settings: Sendable {
    /// The server that has the list at `users`.
    package var server: URL

    /// The folder that the contact sheet goes to.
    package var output: URL

    /// How many avatars may be loaded side by side.
    package var concurrency = 6

    /// How long an avatar, or the list, may take, with all attempts.
    package var timeout: Duration = .seconds(10)

    /// When and how often to try again.
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
  /// - Fulfils: with a summary, also if some avatars could not be loaded.
  /// - Fails: if there is no list, or if the folder cannot be written to.
  /// - Cancels: when asked to, or when the token is invalidated: connections are closed, waiting avatars are given
  ///   up, and what was written is removed. The promise is resolved after that.
  /// - Runs on: `.utility`; `report` on `context`.
  ///
  /// - Parameters:
  ///   - token: Stops everything when it is invalidated.
  ///   - context: The context that events are reported on. It should run one thing at a time.
  ///   - report: Receives what happens on the way, until the token is invalidated.
  package func make(
    token: PromiseInvalidationToken,
    reportingOn context: PromiseContext,
    report: @escaping @Sendable (GalleryEvent) -> Void
  ) -> Promise<Summary, GalleryError> {
    let reporter = Reporter(on: context, token: token, receive: report)
    let start = ContinuousClock.now

    return OutputFolder.open(settings.output)
      // No token here: the folder exists now, and the `always` below has to be reached to clean up.
      .flatMap(on: .utility) { folder in
        loadUsers()
          .flatMap(on: .utility, token: token) { users in
            reporter(.listed(count: users.count))
            return pictureLoader(folder, reporter).load(users, token: token)
              // It cannot fail, and this chain can: there is nothing to do for an error that does not exist.
              .mapError(on: .immediate) { (_: Never) -> GalleryError in }
          }
          // All or nothing: if the token is invalidated before this step starts, the step does not run and its
          // promise is cancelled; once it has started, the whole sheet is published.
          .map(on: .utility, token: token) { outcomes throws(GalleryError) in
            try folder.publish(ContactSheet(source: settings.server.absoluteString, outcomes: outcomes))
            return Summary(outcomes: outcomes, sheet: folder.sheet, time: start.duration(to: .now))
          }
          // Runs in any case, and the promise that is returned is not resolved before it has finished.
          .always(on: .utility) { _ in folder.discard() }
      }
      // Values come down the chain; a request to cancel goes up, from here to whatever is unresolved.
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
