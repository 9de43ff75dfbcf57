import Dispatch
import Overmorrow
import Testing

/// The samples of the guide `Owners.md`, and what it says of them.
@Suite struct OwnersGuideTests {
  fileprivate struct User: Sendable { let name: String }

  @Test("9.1 a view that is bound to a chain shows what it loads, and is not kept by it")
  @MainActor func bound() async {
    let (user, resolver) = Promise<User, any Error>.makeWithResolver()
    let shown = Latch()
    let view = ProfileView { user }
    view.load { shown.signal() }
    weak var other: ProfileView?
    do {
      let gone = ProfileView { user }
      gone.load {}
      other = gone
    }
    #expect(other == nil)
    resolver.fulfill(with: User(name: "ada"))
    await shown.wait(for: "the title")
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

  @Test("9.2 the next search ends the last one, and the end of the object ends both")
  @MainActor func owned() {
    let probes = [CancelProbe<[String], any Error>(), CancelProbe<[String], any Error>()]
    let search = Holder<Search>(Search { Int($0).map { probes[$0].take() } ?? Promise(with: .cancelled) })
    search.value?.search("0")
    #expect(probes.map(\.requestCount) == [0, 0])
    search.value?.search("1")
    #expect(probes.map(\.requestCount) == [1, 0])
    search.value = nil
    #expect(probes.map(\.requestCount) == [1, 1])
  }
}

@MainActor
private final class ProfileView {
  var title = "…"
  private let fetchUser: () -> Promise<OwnersGuideTests.User, any Error>

  init(_ fetchUser: @escaping () -> Promise<OwnersGuideTests.User, any Error>) { self.fetchUser = fetchUser }

  func load(_ done: @escaping @MainActor @Sendable () -> Void) {
    fetchUser()
      .bound(to: self)
      .map(on: .utility) { _, user in user.name.uppercased() }
      .then { view, name in view.title = name }
      .catch { view, error in view.title = "\(error)" }
      .always { _, _ in done() }
  }
}

@MainActor
private final class Search {
  private var running: OwnedPromise<[String], any Error>?
  private let fetchHits: (String) -> Promise<[String], any Error>

  init(_ fetchHits: @escaping (String) -> Promise<[String], any Error>) { self.fetchHits = fetchHits }

  func search(_ text: String) {
    running = fetchHits(text).owned()
      .map(on: .utility) { $0.sorted() }
      .then(on: .main) { print($0) }
  }
}
