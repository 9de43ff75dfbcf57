import Overmorrow

/// Chains that go on as long as the handle of their end is held.
@MainActor
final class Searcher {
  private var running: PromiseCancellable?
  private var hits: [String] = []
  private let token = PromiseInvalidationToken()

  func search(_ promise: Promise<[String], any Error>) {
    running =
      promise
      .map(on: .utility) { $0.sorted() }
      .then { self.hits = $0 }
      .owned()
  }

  func searchOnce(_ promise: Promise<[String], any Error>) {
    running = promise.withToken(token).then { self.hits = $0 }.owned()
    running = promise.bound(to: self).then { searcher, hits in searcher.hits = hits }.owned()
  }

  func stop() {
    running?.requestCancel()
    running = nil
  }
}

func owning(_ promise: Promise<Int, String>) -> Int {
  let (handle, other) = (promise.owned(), promise.owned())
  var hasher = Hasher()
  handle.hash(into: &hasher)
  print(handle == other, Set([handle, other]).count)
  return hasher.finalize()
}
