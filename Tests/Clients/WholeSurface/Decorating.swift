import Overmorrow

/// Tokens and an owner, in any order: the steps are those of a plain chain.
func decorating(
  _ promise: Promise<Int, LoadError>, with token: PromiseInvalidationToken, and other: PromiseInvalidationToken,
  for cellar: Cellar
) {
  let tokens = TokenPromise(promise, tokens: [token, other])
  print(tokens == promise.withToken(token).withToken(other), Set([tokens]).count, tokens.tokens.count)
  let chains = [
    promise.bound(to: cellar).withToken(token).withToken(other),
    promise.withToken(token).bound(to: cellar).withToken(other),
    promise.withToken(token).withToken(other).bound(to: cellar, defaultContext: .utility),
  ]
  for chain in chains {
    chain
      .map(on: .utility) { _, value in value + 1 }
      .withToken(token)
      .then { cellar, value in print(cellar.name, value) }
    print(chain.tokens.count, chain.inner == promise)
  }
  // What takes promises takes them plain.
  let both = when(fulfilled: tokens.inner, chains[0].inner).withToken(other).bound(to: cellar)
  both.then { _, values in print(values.0 + values.1) }
}

/// What is not a step, on a chain with a token.
func decorated(_ promise: Promise<Int, LoadError>, with token: PromiseInvalidationToken) async throws {
  let chain = promise.withToken(token)
  print(try await chain.value, await chain.finalResult, chain.result ?? .cancelled)
  let later = chain.delay(.seconds(1)).delay(on: .main, .seconds(1), clock: SuspendingClock())
  let limited = later.timeout(.seconds(3))
  limited.catch { if case .rejected(.offline) = $0 { print("offline") } }
  later.timeout(on: .main, .seconds(3), clock: SuspendingClock()).then { print($0) }
  later.upcast.timeout(.seconds(3)).catch { (error: any Error) in print(error) }
  try limited.makeChild().fork { child throws(LoadError) in
    if child.result == nil { throw .offline }
  }
  chain.requestCancelOnInvalidate(token).tap().ignoringCancel().requestCancel()
  print(chain.inner, chain.cancellable, chain.owned())
}

/// The same, on a chain with an owner.
func decorated(_ promise: Promise<Int, LoadError>, by cellar: Cellar, token: PromiseInvalidationToken) async throws {
  let chain = promise.bound(to: cellar)
  print(try await chain.value, await chain.finalResult, chain.result ?? .cancelled)
  let later = chain.delay(.seconds(1)).delay(on: .main, .seconds(1), clock: SuspendingClock())
  let limited = later.timeout(.seconds(3))
  limited.catch { _, error in if case .rejected(.offline) = error { print("offline") } }
  later.timeout(on: .main, .seconds(3), clock: SuspendingClock()).then { _, value in print(value) }
  later.upcast.timeout(.seconds(3)).catch { (_, error: any Error) in print(error) }
  try limited.makeChild().fork { child throws(LoadError) in
    if child.result == nil { throw .offline }
  }
  chain.requestCancelOnInvalidate(token).tap().ignoringCancel().requestCancel()
  print(chain.inner, chain.cancellable, chain.owned())
}

/// A page of news, as it is shown.
struct News: Sendable {
  var headlines: [String] = []
}

/// What news come from.
nonisolated struct Newsroom: Sendable {
  func load(_ topic: String) -> Promise<News, any Error> {
    Promise { News(headlines: [topic]) }
  }
}

/// A model that puts tokens, an owner, a timeout and attempts together, without a weak reference.
@MainActor
final class NewsModel {
  private let newsroom = Newsroom()
  private let searches = PromiseInvalidationToken()
  private let page = PromiseInvalidationToken()
  private var news = News()
  private var message = ""
  private var isLoading = false

  /// The owner last, and one token for the search.
  func search(for topic: String) {
    searches.invalidate()
    isLoading = true
    let newsroom = newsroom
    Promise.retry(PromiseRetryPolicy(attempts: 3, backoff: .constant(.seconds(1))), on: .utility) { _ in
      newsroom.load(topic)
    }
    .timeout(.seconds(10))
    .withToken(searches)
    .map(on: .utility) { $0.headlines.sorted() }
    .bound(to: self)
    .then { model, headlines in model.news.headlines = headlines }
    .catch { model, error in model.message = "\(error)" }
    .always { model, _ in model.isLoading = false }
  }

  /// The owner first, and one token more on the way.
  func reload(_ topics: [String]) {
    let newsroom = newsroom
    when(fulfilled: topics, maxConcurrent: 4, on: .utility) { topic in
      Promise<News, any Error>.retry(on: .utility) { _ in newsroom.load(topic).timeout(.seconds(5)) }
    }
    .bound(to: self)
    .withToken(page)
    .map(on: .utility) { _, pages in pages.flatMap(\.headlines) }
    .timeout(.seconds(30))
    .withToken(searches)
    .flatMap { model, headlines in model.newsroom.load(headlines.first ?? model.message) }
    .then { model, news in model.news = news }
    .catch { model, error in model.message = "\(error)" }
    .requestCancelOnInvalidate(searches)
  }

  func close() { page.invalidate() }
}
