import Observation
import Overmorrow
import OvermorrowFlow

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
/// SwiftUI calls `refresh()` from `refreshable`, in a task that it cancels when the list disappears. That withdraws the vote.
@MainActor @Observable
final class FeedModel {
  private(set) var items: [String] = []
  private(set) var message: String?
  private let store: FeedStore

  init(store: FeedStore) { self.store = store }

  func refresh() async {
    do {
      items = try await store.load("news").value
      message = nil
    } catch is CancellationError {
    } catch {
      message = "\(error)"
    }
  }
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
