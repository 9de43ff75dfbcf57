import Foundation
import Overmorrow
import Testing

/// The samples of the guide `InvalidationTokens.md` and of the comments on tokens. `CoreTests` covers the other
/// statements.
@Suite(.inTurn) struct InvalidationTokensGuideTests {
  private let shown = Recorder<String>()
  private let network = Network()

  private func show(_ text: String) { shown.record(text) }

  // MARK: Suppressing

  @Test("4.1 an invalidation suppresses a callback, and cancels a promise that needed its value")
  func suppressing() {
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

  @Test("4.1 4.2 a view shows the last requested picture, and the other loads are cancelled")
  @MainActor func view() async throws {
    let (view, thumbnail) = (PictureView(), Thumbnail())
    let (ada, bob) = (try #require(URL(string: "stub:ada")), try #require(URL(string: "stub:bob")))
    Network.$current.withValue(network) {
      for url in [ada, bob] { view.load(url) }
      for url in [ada, bob] { thumbnail.show(url) }
    }
    #expect(network.cancelled.entries == ["stub:ada", "stub:ada"])

    network.answer("stub:bob")
    await mainQueue()
    #expect(view.picture == "stub:bob" && view.message == nil)
    await until("the thumbnail") { displayed.entries == ["stub:bob"] }
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
        .then(token: token) { [weak self] in self?.text = $0 }
        .always(token: token) { [weak self] _ in self?.isLoading = false }
        .requestCancelOnInvalidate(token)
    }

    func stop() {
      token.invalidate()
      isLoading = false
    }
  }

  @Test("4.1 4.1 an invalidation also suppresses 'always', so the code that invalidates resets the state itself")
  @MainActor func always() async {
    let model = PageModel()
    Network.$current.withValue(network) {
      model.reload()
      model.stop()
      #expect(!model.isLoading)
      model.reload()
      model.reload()
    }
    #expect(model.isLoading)
    network.answer("file:///page")
    await until("the end of the load") { !model.isLoading }
    #expect(model.text == "file:///page" && !model.isLoading)
  }

  @Test("4.2 cancelling without invalidating lets the callbacks see the cancellation")
  func cancelling() {
    let log = shown.record
    let page = network.fetch(URL(filePath: "/page"))

    let token = PromiseInvalidationToken()
    page.onCancel(on: .immediate, token: token) { log("cancelled") }
    page.requestCancelOnInvalidate(token)
    token.cancelWithoutInvalidating()

    #expect(shown.entries == ["cancelled"])
  }

  @Test("3.5 3.11 the release of an owner cancels what it owns, and nothing is cancelled before")
  func owner() {
    var feed: Feed? = Feed()
    feed?.load(network.fetch(URL(filePath: "/feed")))
    #expect(network.cancelled.entries == [])
    feed = nil
    #expect(network.cancelled.entries == ["file:///feed"])
  }

  // MARK: Trees

  @Test("4.4 a chained token is invalidated with the other token, but not conversely")
  func tree() {
    let account = PromiseInvalidationToken()
    let inbox = PromiseInvalidationToken()
    let search = PromiseInvalidationToken()
    inbox.chainInvalidation(from: account)
    search.chainInvalidation(from: account)

    let messages = network.fetch(URL(filePath: "/messages")).requestCancelOnInvalidate(inbox)
    let hits = network.fetch(URL(filePath: "/hits")).requestCancelOnInvalidate(search)

    search.invalidate()  // the hits are not wanted any more; the messages are
    #expect(hits.result?.isCancelled == true && messages.result == nil)
    account.invalidate()  // the user has logged out: nothing is
    #expect(messages.result?.isCancelled == true)
  }

  // MARK: Chains

  @Test("4.1 4.2 an invalidation suppresses each step of a chain, and cancels the chain", arguments: [false, true])
  @MainActor func chain(isInvalidated: Bool) async {
    let token = PromiseInvalidationToken()
    @Sendable func fetchPage() -> Promise<String, any Error> { network.fetch(URL(filePath: "/page")) }
    @Sendable func showError(_ error: any Error) { show("error") }

    fetchPage()
      .map(token: token) { $0.uppercased() }
      .then(token: token) { show($0) }
      .catch(token: token) { showError($0) }
      .requestCancelOnInvalidate(token)

    if isInvalidated { token.invalidate() }
    network.answer("file:///page")
    await mainQueue()
    #expect(shown.entries.sorted() == (isInvalidated ? [] : ["FILE:///PAGE"]))
    #expect(network.cancelled.entries == (isInvalidated ? ["file:///page"] : []))
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

private final class Thumbnail {
  private let token = PromiseInvalidationToken()

  func show(_ url: URL) {
    token.invalidate()  // what was being loaded is of no interest any more
    load(url).then(token: token) { image in display(image) }.requestCancelOnInvalidate(token)
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

private let displayed = Recorder<Picture>()

private func display(_ picture: Picture) { displayed.record(picture) }

private func fetch(_ url: URL) -> Promise<Picture, any Error> { Network.current.fetch(url) }

private func fetchPage() -> Promise<String, any Error> { fetch(URL(filePath: "/page")) }

private func load(_ url: URL) -> Promise<Picture, any Error> { fetch(url) }

/// A stand-in that answers with the address when the test says so, and cancels on request.
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
