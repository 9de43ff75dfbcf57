import Overmorrow
import Testing

/// The samples in the documentation comments of what goes beside async and await.
@Suite(.inTurn) struct AsyncCommentSamplesTests {
  @Test("8.2 firstPromise: the first event of a kind")
  func firstPromise() async throws {
    let (events, feed) = AsyncStream<Event>.makeStream()

    let login = events.firstPromise { $0.kind == .login }

    feed.yield(Event(kind: .logout, user: "ada"))
    feed.yield(Event(kind: .login, user: "bob"))
    #expect(try await login.value?.user == "bob")
  }

  @Test("8.1 PromiseCompletionOrder: uploads are reported as they finish")
  func completionOrder() async {
    let files = ["a", "b"]
    let (slow, resolver) = Promise<Int, Fault>.makeWithResolver()
    let uploads = [slow, Promise(fulfilled: 2)]
    let progress = Progress()
    progress.finished.tap(on: .immediate) { _ in resolver.reject(with: Fault()) }

    for await (index, result) in PromiseCompletionOrder(of: uploads) {
      progress.finish(files[index], with: result)
    }

    #expect(progress.log.entries == ["b 2", "a 0"])
  }

  @Test("8.2 Promise of an async closure, and the three outcomes of it", arguments: ["text", "", "none"])
  func outcomes(content: String) async {
    @Sendable func download(_ url: String) async throws -> Page {
      if url.isEmpty { throw Fault() }
      if url == "none" { throw CancellationError() }
      return Page(text: url)
    }
    let url = content
    let shown = Recorder<String>()
    func show(_ text: String) { shown.record(text) }
    func show(_ page: Page) { shown.record(page.text) }

    let page = Promise<Page, any Error> {
      try await download(url)
    }

    switch await page.finalResult {
    case .value(let page): show(page)
    case .error(let fault): show("The server says: \(fault)")
    case .cancelled: break
    }

    #expect(shown.entries == ["text": ["text"], "": ["The server says: Fault()"], "none": []][content])
  }

  @Test("8.1 value: the user who logs in")
  func value() async throws {
    func logIn() -> Promise<User, any Error> { Promise(fulfilled: User(name: "Ada")) }

    let user = try await logIn().value

    #expect(user.name == "Ada")
  }
}

// MARK: - Stand-ins

private struct Fault: Error {}

private struct Page: Sendable {
  let text: String
}

private struct User: Sendable {
  let name: String
}

private struct Event: Sendable {
  enum Kind { case login, logout }
  let kind: Kind
  let user: String
}

private final class Progress: Sendable {
  let log = Recorder<String>()
  let finished: Promise<String, Never>
  private let resolver: Promise<String, Never>.Resolver

  init() { (finished, resolver) = Promise.makeWithResolver() }

  func finish(_ file: String, with result: PromiseResult<Int, Fault>) {
    log.record("\(file) \(result.value ?? 0)")
    resolver.fulfill(with: file)
  }
}
