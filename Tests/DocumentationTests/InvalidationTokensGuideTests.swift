import Foundation
import Overmorrow
import Testing

/// The samples of the guide `InvalidationTokens.md`. `CancellationTests` proves the rest of it.
@Suite(.inTurn) struct InvalidationTokensGuideTests {
  // MARK: Suppressing

  @Test("4.1 a callback whose token was invalidated does not run, and what its value was needed for is cancelled")
  func suppressing() {
    let shown = Recorder<String>()
    let show = shown.record
    let (forecast, resolver) = Promise<String, Never>.makeWithResolver()

    let token = PromiseInvalidationToken()
    let observed = forecast.then(on: .immediate, token: token) { show($0) }
    let length = forecast.map(on: .immediate, token: token) { $0.count }
    token.invalidate()
    forecast.then(on: .immediate, token: token) { show("afterwards: \($0)") }
    resolver.fulfill(with: "rain")

    #expect(shown.entries == ["afterwards: rain"])
    #expect(observed.result == .value("rain"))
    #expect(length.result == .cancelled)
  }

  @Test("4.1 4.2 a view shows the last picture that it was asked for, and no other is loaded any more")
  @MainActor func view() async throws {
    let view = PictureView()
    let network = Network()
    try Network.$current.withValue(network) {
      view.load(try #require(URL(string: "stub:ada")))
      view.load(try #require(URL(string: "stub:bob")))
    }
    #expect(network.cancelled.entries == ["stub:ada"])

    network.answer("stub:bob")
    await mainQueue()
    #expect(view.picture == "stub:bob" && view.message == nil)
  }

  // MARK: Cancelling

  @MainActor
  final class PageModel {
    private(set) var isLoading = false
    private(set) var text = ""
    private let token = PromiseInvalidationToken()

    func reload() {
      token.invalidate()
      isLoading = true
      fetchPage()
        .withToken(token)
        .then { [weak self] in self?.text = $0 }
        .always { [weak self] _ in self?.isLoading = false }
    }

    func stop() {
      token.invalidate()
      isLoading = false
    }
  }

  @Test("4.1 4.6 an invalidation suppresses 'always', too: the code that invalidates does its part")
  @MainActor func always() async {
    let model = PageModel()
    model.reload()
    model.stop()
    #expect(!model.isLoading)
    model.reload()
    model.reload()
    #expect(model.isLoading)
    for resolver in pages.entries { resolver.fulfill(with: "page") }
    await until("the end of the load") { !model.isLoading }
    #expect(model.text == "page" && !model.isLoading)
  }

  @Test("4.2 cancelling without invalidating leaves the callbacks to see it")
  func cancelling() {
    let events = Recorder<String>()
    let log = events.record
    let network = Network()
    let page = network.fetch(URL(filePath: "/page"))

    let token = PromiseInvalidationToken()
    page.onCancel(on: .immediate, token: token) { log("cancelled") }
    page.requestCancelOnInvalidate(token)
    token.cancelWithoutInvalidating()

    #expect(events.entries == ["cancelled"])
  }

  @Test("4.3 a token invalidates itself when it goes, also while something is pending")
  @MainActor func deinitialisation() throws {
    let network = Network()
    var view: PictureView? = PictureView()
    try Network.$current.withValue(network) { view?.load(try #require(URL(string: "stub:ada"))) }
    #expect(network.cancelled.entries == [])
    view = nil
    #expect(network.cancelled.entries == ["stub:ada"])
  }

  @Test("3.5 an owner that goes cancels what it owns")
  func owner() {
    let network = Network()
    var feed: Feed? = Feed()
    feed?.load(network.fetch(URL(filePath: "/feed")))
    #expect(network.cancelled.entries == [])
    feed = nil
    #expect(network.cancelled.entries == ["file:///feed"])
  }

  // MARK: Trees

  @Test("4.4 a token that is chained to another is invalidated with it, and not the other way round")
  func tree() {
    let account = PromiseInvalidationToken()
    let inbox = PromiseInvalidationToken()
    let search = PromiseInvalidationToken()
    inbox.chainInvalidation(from: account)
    search.chainInvalidation(from: account)

    let network = Network()
    let messages = network.fetch(URL(filePath: "/messages")).requestCancelOnInvalidate(inbox)
    let hits = network.fetch(URL(filePath: "/hits")).requestCancelOnInvalidate(search)

    search.invalidate()  // the hits are not wanted any more; the messages are
    #expect(hits.result?.isCancelled == true && messages.result == nil)
    account.invalidate()  // the user has logged out: nothing is
    #expect(messages.result?.isCancelled == true)
  }

  // MARK: Chains

  @Test("4.6 withToken gives each step the token, and asks each step to cancel")
  @MainActor func chain() async {
    for isInvalidated in [false, true] {
      let shown = Recorder<String>()
      let show = shown.record
      @Sendable func showError(_ error: any Error) { shown.record("error") }
      let network = Network()
      @Sendable func fetchPage() -> Promise<String, any Error> { network.fetch(URL(filePath: "/page")) }
      let token = PromiseInvalidationToken()

      fetchPage()
        .withToken(token)
        .map { $0.uppercased() }
        .then { show($0) }
        .catch { showError($0) }

      if isInvalidated { token.invalidate() }
      network.answer("file:///page")
      await mainQueue()
      #expect(shown.entries == (isInvalidated ? [] : ["FILE:///PAGE"]))
      #expect(network.cancelled.entries == (isInvalidated ? ["file:///page"] : []))
    }
  }
}

// MARK: - Samples that are declarations

@MainActor
private final class PictureView {
  var picture: Picture?
  var message: String?
  private let token = PromiseInvalidationToken()

  func load(_ url: URL) {
    token.invalidate()  // the previous picture is not wanted any more
    fetch(url)
      .then(token: token) { [weak self] in self?.picture = $0 }
      .catch(token: token) { [weak self] in self?.message = "\($0)" }
      .requestCancelOnInvalidate(token)
  }
}

private final class Feed {
  private let token = PromiseInvalidationToken()

  func load(_ page: Promise<String, any Error>) {
    page.then { print($0) }.requestCancelOnInvalidate(token)
  }
}

// MARK: - Stand-ins

private typealias Picture = String

private func fetch(_ url: URL) -> Promise<Picture, any Error> { Network.current.fetch(url) }

/// Answers when it is told to, with the address; cancels when it is asked to.
private final class Network: Sendable {
  @TaskLocal static var current = Network()

  typealias Resolver = Promise<String, any Error>.Resolver
  private let resolvers = Recorder<(String, Resolver)>()
  let cancelled = Recorder<String>()

  func fetch(_ url: URL) -> Promise<String, any Error> {
    let (promise, resolver) = Promise<String, any Error>.makeWithResolver()
    let address = url.absoluteString
    resolvers.record((address, resolver))
    resolver.onRequestCancel(on: .immediate) { [cancelled] resolver in
      cancelled.record(address)
      resolver.cancel()
    }
    return promise
  }

  func answer(_ address: String) {
    for (known, resolver) in resolvers.entries where known == address { resolver.fulfill(with: address) }
  }
}

private let pages = Recorder<Promise<String, any Error>.Resolver>()

private func fetchPage() -> Promise<String, any Error> {
  let (page, resolver) = Promise<String, any Error>.makeWithResolver()
  pages.record(resolver)
  return page
}
