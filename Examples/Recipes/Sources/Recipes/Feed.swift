import Overmorrow
import OvermorrowFlow
import OvermorrowObservation

/// Loads a feed once for all concurrent callers.
///
/// Each caller has a vote on the load. The load is asked to cancel when the last caller has withdrawn its vote.
@MainActor
final class FeedStore {
  private let loads = PromiseCache<String, [String], any Error>(timeToLive: .zero)
  private let fetch: @MainActor (String) -> Promise<[String], any Error>

  init(fetch: @escaping @MainActor (String) -> Promise<[String], any Error>) { self.fetch = fetch }

  func load(_ feed: String) -> Promise<[String], any Error> { loads.promise(for: feed, load: fetch) }
}

/// A list that is pulled to refresh.
///
/// SwiftUI calls `show()` from `task`, and cancels this task when the list disappears. That withdraws the vote. It calls `refresh()` from
/// `refreshable`, whose task it may cancel while the list is visible. The load continues then.
@MainActor
final class FeedModel {
  let items: PromiseLoad<String, [String]>

  init(store: FeedStore) { items = PromiseLoad { feed in store.load(feed) } }

  func show() async { await items.run("news") }

  func refresh() async { await items.refresh() }
}

/// A background load that ends when the time that the system allows has passed.
@MainActor
final class BackgroundRefresh {
  private var load: PromiseCancellable?

  func start(_ store: FeedStore, save: @escaping @MainActor ([String]) -> Void) {
    load = store.load("news").then(save).owned()
  }

  func timeIsUp() { load = nil }
}
