import Dispatch
import Overmorrow
import Testing

/// The samples of the guide `Owners.md`, and what it says of them.
@Suite(.inTurn) struct OwnersGuideTests {
  fileprivate struct User: Sendable { let name: String }

  @Test("9.1 a view that is bound to a chain shows what it loads, and is not kept by it")
  @MainActor func bound() async {
    let (user, resolver) = Promise<User, any Error>.makeWithResolver()
    users.value = user
    let view = ProfileView()
    view.load()
    weak var other: ProfileView?
    do {
      let gone = ProfileView()
      gone.load()
      other = gone
    }
    #expect(other == nil)
    resolver.fulfill(with: User(name: "ada"))
    let deadline = ContinuousClock.now + .seconds(60)
    while view.title == "…", .now < deadline { await Task.yield() }
    #expect(view.title == "ADA")
  }

  @Test("9.1 the steps of a chain share their default context")
  func defaultContext() async {
    final class Index: Sendable {
      let added = Recorder<String>()
      func words(in page: String) -> [String] { page.split(separator: " ").map(String.init) }
      func add(_ words: [String]) { words.forEach(added.record) }
    }
    let (index, queue) = (Index(), DispatchQueue(label: "index"))
    func fetchPage() -> Promise<String, any Error> { Promise(fulfilled: "a b") }
    let end =
      fetchPage()
      .bound(to: index, defaultContext: .queue(queue))
      .map { index, page in index.words(in: page) }
      .then { index, words in index.add(words) }
    _ = await end.inner.outcome()
    #expect(index.added.entries == ["a", "b"])
  }

  @Test("9.2 the next search ends the last one, and the end of the object ends that")
  @MainActor func owned() {
    let probes = [CancelProbe<[String], any Error>(), CancelProbe<[String], any Error>()]
    hits.value = { Int($0).map { probes[$0].take() } ?? Promise(with: .cancelled) }
    do {
      let search = Search()
      search.search("0")
      #expect(probes.map(\.requestCount) == [0, 0])
      search.search("1")
      #expect(probes.map(\.requestCount) == [1, 0])
    }
    #expect(probes.map(\.requestCount) == [1, 1])
  }
}

private let users = Holder<Promise<OwnersGuideTests.User, any Error>>()

private func fetchUser() -> Promise<OwnersGuideTests.User, any Error> { users.value ?? Promise(with: .cancelled) }

private let hits = Holder<@Sendable (String) -> Promise<[String], any Error>>()

private func fetchHits(_ text: String) -> Promise<[String], any Error> {
  hits.value?(text) ?? Promise(with: .cancelled)
}

private func show(_ hits: [String]) { print(hits) }

@MainActor
private final class ProfileView {
  var title = "…"

  func load() {
    fetchUser()
      .bound(to: self)
      .map(on: .utility) { _, user in user.name.uppercased() }
      .then { view, name in view.title = name }
      .catch { view, error in view.title = "\(error)" }
  }
}

@MainActor
private final class Search {
  private var running: OwnedPromise<[String], any Error>?

  func search(_ text: String) {
    running = fetchHits(text).owned()
      .map(on: .utility) { $0.sorted() }
      .then(on: .main) { show($0) }
  }
}
