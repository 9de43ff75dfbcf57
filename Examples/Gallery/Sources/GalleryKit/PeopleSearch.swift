import Foundation
import Overmorrow
import OvermorrowFlow
import Synchronization

/// Searches for people while the user types. It does not search after every key, and only for the last text.
package final class PeopleSearch: Sendable {
  private let settings: Gallery.Settings
  private let client: HTTPClient
  private let pause: Duration
  private let clock: any Clock<Duration>

  /// Shares one request, and its answer for a minute, among sessions that search for the same text.
  private let answers: PromiseCache<String, [User], GalleryError>
  private let avatars: PromiseCache<String, Data, GalleryError>

  /// The newest search of each session, until it has ended.
  private let newest = Mutex<[String: (number: Int, handle: PromiseCancellable)]>([:])

  /// Creates a search on the server that `settings` name.
  ///
  /// - Parameters:
  ///   - settings: The server and the limits of the work.
  ///   - pause: The time without typing before the server is asked.
  ///   - clock: The clock that measures the pause.
  package init(
    _ settings: Gallery.Settings, pause: Duration = .milliseconds(150), clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.settings = settings
    self.pause = pause
    self.clock = clock
    client = settings.makeClient()
    answers = PromiseCache(capacity: 200, timeToLive: .seconds(60), clock: settings.clock)
    avatars = PromiseCache(capacity: 200, clock: settings.clock)
  }

  /// Returns the people whose names contain a text.
  ///
  /// - Fulfils: with the people that the server lists.
  /// - Fails: like a request.
  /// - Cancels: when the same session searches again, with a higher number. The request is then cancelled, too, unless
  ///   another session waits for the same text. A search that arrives while a newer one runs is cancelled at once.
  ///
  /// - Parameters:
  ///   - text: The text that was typed.
  ///   - session: An identifier of the search field, such as one per browser window.
  ///   - number: The number of the search in this session, from 1.
  package func people(named text: String, session: String, number: Int) -> Promise<[User], GalleryError> {
    let search = Promise<String, GalleryError>(on: .utility, fulfilled: text, after: pause, clock: clock)
      .flatMap(on: .immediate) { [self] text in answers.promise(for: text, on: .immediate, load: find) }
      .always(on: .immediate) { [self] _ in
        _ = newest.withLock { $0[session]?.number == number ? $0.removeValue(forKey: session) : nil }
      }

    let handle = search.owned()
    let outdated = newest.withLock { newest -> PromiseCancellable? in
      guard number > newest[session]?.number ?? 0 else { return handle }
      return newest.updateValue((number, handle), forKey: session)?.handle
    }
    // Cancels the whole chain at once. The request is cancelled, too, unless another session waits for it.
    outdated?.requestCancel()
    return search
  }

  /// Returns the file of an avatar, which is loaded once.
  ///
  /// - Parameter name: The name of the file, such as `1.png`.
  package func avatar(_ name: String) -> Promise<Data, GalleryError> {
    avatars.promise(for: name, on: .immediate) { [client, settings] name in
      client.get(settings.server.appending(components: "avatars", name), patience: settings.patience)
    }
  }

  private func find(_ text: String) -> Promise<[User], GalleryError> {
    let address = settings.server.appending(component: "users")
      .appending(queryItems: [.init(name: "name", value: text)])
    return client.get(address, patience: settings.patience)
      .map(on: .utility) { answer throws(GalleryError) in try User.list(from: answer, of: address) }
  }
}
