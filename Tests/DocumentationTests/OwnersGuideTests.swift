import Dispatch
import Overmorrow
import OvermorrowFlow
import Testing

/// The samples and the statements of the guide `Owners.md`.
@Suite(.inTurn) struct OwnersGuideTests {
  fileprivate struct User: Sendable { let name: String }

  @Test("9.1 a bound view shows what it loads, and is not retained by its chain")
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
    await until("the title") { view.title != "…" }
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

  @Test("9.2 a search shows its results until the next search or its release")
  @MainActor func owned() async {
    let probes = [CancelProbe<[String], any Error>(), CancelProbe<[String], any Error>()]
    let (found, resolver) = Promise<[String], any Error>.makeWithResolver()
    hits.value = { Int($0).map { probes[$0].take() } ?? found }
    do {
      let search = Search()
      search.search("0")
      #expect(probes.map(\.requestCount) == [0, 0])
      search.search("1")
      #expect(probes.map(\.requestCount) == [1, 0])
    }
    #expect(probes.map(\.requestCount) == [1, 1])

    let (search, other) = (Search(), Comment.Search())
    search.search("ada")
    other.search("ada")
    resolver.fulfill(with: ["b", "a"])
    await until("the hits") { !search.hits.isEmpty && !shownHits.entries.isEmpty }
    #expect(search.hits == ["a", "b"])
    #expect(shownHits.entries == [["a", "b"]])
  }

  @Test("4.1 6.5 9.1 a model retries, shows the forecast that was requested last, and is not retained")
  @MainActor func everything() async {
    let attempts = Counter()
    forecasts.value = { attempts.increment() == 1 ? Promise(rejected: Fault()) : Promise(fulfilled: "rain") }
    let model = ForecastModel()
    model.reload()
    model.reload()
    await until("the forecast") { model.text != "…" }
    #expect(model.text == "RAIN")

    let (probe, isLoading) = (CancelProbe<String, any Error>(complying: true), Latch())
    forecasts.value = {
      defer { isLoading.signal() }
      return probe.take()
    }
    weak var gone: ForecastModel?
    do {
      let model = ForecastModel()
      model.reload()
      gone = model
      await isLoading.wait(for: "an attempt")
      withExtendedLifetime(model) {}
    }
    #expect(gone == nil)
    await until("the request to cancel") { probe.requestCount == 1 }
  }

  @Test("4.6 9.1 a chain has a token, an owner and a timeout")
  @MainActor func decorated() async {
    let (page, resolver) = Promise<String, any Error>.makeWithResolver()
    let (view, token) = (PageView(), PromiseInvalidationToken())
    view.load(page, token)
    token.invalidate()
    view.load(page, token)
    resolver.fulfill(with: "page")
    await mainQueue()
    #expect(view.shown.entries == ["page"])
  }
}

private let users = Holder<Promise<OwnersGuideTests.User, any Error>>()

private func fetchUser() -> Promise<OwnersGuideTests.User, any Error> { users.value ?? Promise(with: .cancelled) }

private let hits = Holder<@Sendable (String) -> Promise<[String], any Error>>()

private func fetchHits(_ text: String) -> Promise<[String], any Error> {
  hits.value?(text) ?? Promise(with: .cancelled)
}

private let shownHits = Recorder<[String]>()

private let forecasts = Holder<@Sendable () -> Promise<String, any Error>>()

private func fetchForecast() -> Promise<String, any Error> { forecasts.value?() ?? Promise(with: .cancelled) }

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
  private(set) var hits: [String] = []
  private var running: PromiseCancellable?

  func search(_ text: String) {
    running = fetchHits(text)
      .bound(to: self)
      .map(on: .utility) { _, hits in hits.sorted() }
      .then { search, hits in search.hits = hits }
      .owned()
  }
}

@MainActor
private final class ForecastModel {
  var text = "…"
  private let token = PromiseInvalidationToken()
  private let policy = PromiseRetryPolicy(attempts: 3, backoff: .exponential(.milliseconds(200)))

  func reload() {
    token.invalidate()  // the previous forecast is not wanted any more
    Promise.retry(policy, on: .utility) { _ in fetchForecast().timeout(.seconds(5)) }
      .bound(to: self, token: token)
      .timeout(.seconds(20))
      .map { _, forecast in forecast.uppercased() }
      .then { model, forecast in model.text = forecast }
      .catch { model, error in model.text = "\(error)" }
  }
}

// MARK: - Samples of the comments

@MainActor
private final class PageView {
  let shown = Recorder<String>()

  func show(_ page: String) { shown.record(page) }

  func load(_ load: Promise<String, any Error>, _ token: PromiseInvalidationToken) {
    func fetchPage() -> Promise<String, any Error> { load }

    fetchPage()
      .bound(to: self, token: token)
      .timeout(.seconds(10))
      .then { view, page in view.show(page) }
  }
}

/// The sample of the doc comment.
private enum Comment {
  @MainActor
  final class Search {
    private var running: PromiseCancellable?

    func search(_ text: String) {
      running = fetchHits(text)
        .map(on: .utility) { $0.sorted() }
        .then { self.show($0) }
        .owned()
    }
  }
}

extension Comment.Search {
  fileprivate func show(_ hits: [String]) { shownHits.record(hits) }
}
