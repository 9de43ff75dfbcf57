import Foundation
import Overmorrow
import Synchronization

/// Searches for people while someone types: not for each key, and only for what was typed last.
package final class PeopleSearch: Sendable {
  private let settings: Gallery.Settings
  private let client: HTTPClient
  private let pause: Duration
  private let clock: any Clock<Duration>

  /// Sessions that search for the same text share one request, and its answer for a minute.
  private let answers: PromiseCache<String, [User], GalleryError>
  private let avatars: PromiseCache<String, Data, GalleryError>

  /// The newest search of each session, until it ends.
  private let newest = Mutex<[String: (number: Int, handle: PromiseCancellable)]>([:])

  /// A search of the server that `settings` name.
  ///
  /// - Parameters:
  ///   - settings: The server, and how hard to try.
  ///   - pause: How long nothing must be typed before the server is asked.
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

  /// The people whose names have a text in them.
  ///
  /// - Fulfils: with those that the server lists.
  /// - Fails: as a request does.
  /// - Cancels: when the same session searches again, that is, with a higher number. The request is cancelled too, unless
  ///   another session waits for the same text. A search that arrives while a newer one runs is cancelled at once.
  ///
  /// - Parameters:
  ///   - text: What was typed.
  ///   - session: A text that stands for one search field, such as that of a window of a browser.
  ///   - number: Counts what was typed in this session, from 1.
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
    // Ends the whole chain at once. The request ends too, unless another session waits for it.
    outdated?.requestCancel()
    return search
  }

  /// The file of an avatar of the server, loaded once.
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
