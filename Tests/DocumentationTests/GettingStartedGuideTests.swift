import Foundation
import Overmorrow
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The samples of the guide `GettingStarted.md`. `OperatorTests` proves the rest of it.
@Suite(.inTurn) struct GettingStartedGuideTests {
  // MARK: Making a promise

  @Test("1.3 a body fulfils through its resolver, and rejects by throwing", arguments: ["4 °C", ""])
  func body(page: String) async {
    @Sendable func readThermometer() throws -> String {
      if page.isEmpty { throw Fault() }
      return page
    }

    let temperature = Promise<String, any Error>(on: .utility) { resolver in
      let text = try readThermometer()
      resolver.fulfill(with: text)
    }

    let result = await temperature.outcome()
    #expect(result?.value == (page.isEmpty ? nil : page))
    #expect(result?.error is Fault? && (result?.error != nil) == page.isEmpty)
  }

  @Test("1.9 a wrapped callback fulfils with the value, and rejects with the error", arguments: ["stub:4", "stub:"])
  func fetching(address: String) async throws {
    let url = try #require(URL(string: address))
    let result = await fetch(url, in: StubProtocol.session).outcome()
    #expect(result?.value == (address == "stub:4" ? Data("4".utf8) : nil))
    #expect((result?.error as? URLError)?.code == (address == "stub:" ? .badServerResponse : nil))
  }

  @Test("1.9 a wrapped callback cancels when its work was cancelled on request")
  func fetchingIsCancelled() async throws {
    let load = fetch(try #require(URL(string: "stub:silence")), in: StubProtocol.session)
    load.requestCancel()
    #expect(await load.outcome()?.isCancelled == true)
  }

  @Test("1.2 a resolver that is kept resolves once, and cancels when it is dropped")
  func keptResolver() {
    let question = Question()
    let answer = question.answer
    #expect(answer.result == nil)
    question.userDidChoose(true)
    question.userDidChoose(false)
    #expect(answer.result == .value(true))

    var other: Question? = Question()
    let unanswered = other?.answer
    other = nil
    #expect(unanswered?.result == .cancelled)
  }

  @Test("1.11 a lazy promise starts its work when it is first asked for")
  func lazy() async {
    let rendered = Counter()
    @Sendable func render() throws -> String {
      rendered.increment()
      return "preview"
    }

    let preview = LazyPromise<String, any Error>(on: .utility) { resolver in
      resolver.fulfill(with: try render())
    }
    // Nothing has been rendered yet.
    #expect(rendered.count == 0)
    let first = preview.promise  // starts to render
    let second = preview.promise  // the same promise

    #expect(await first.outcome()?.value == "preview")
    #expect(first == second && rendered.count == 1)
  }

  // MARK: Observing

  @Test("2.1 a chain shows the value or the error, then hides what it showed before")
  @MainActor func chain() async {
    for isReachable in [true, false] {
      let screen = Shown<String>(3)
      let show = screen.show
      @Sendable func fetchForecast() -> Promise<String, any Error> {
        isReachable ? Promise(fulfilled: " rain ") : Promise(rejected: Fault())
      }
      @Sendable func showSpinner() { show("spinner") }
      @Sendable func hideSpinner() { show("no spinner") }
      @Sendable func showError(_ error: any Error) { show("error") }

      showSpinner()
      fetchForecast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
        .then { show($0) }
        .catch { showError($0) }
        .always { _ in hideSpinner() }

      #expect(await screen.entries() == ["spinner", isReachable ? "rain" : "error", "no spinner"])
    }
  }

  // MARK: Transforming

  @Test("2.4 a promise for a promise is adopted")
  func adopting() async {
    @Sendable func logIn() -> Promise<String, any Error> { Promise(fulfilled: "ada") }
    @Sendable func fetchMessages(for user: String) -> Promise<[String], any Error> {
      Promise(on: .utility, fulfilled: ["hello \(user)"], after: .zero)
    }

    let messages = logIn().flatMap { user in
      fetchMessages(for: user)
    }

    #expect(await messages.outcome()?.value == ["hello ada"])

    // The sample of the comment.
    do {
      let messages = logIn().flatMap(on: .utility) { user in
        fetchMessages(for: user)
      }
      #expect(await messages.outcome()?.value == ["hello ada"])
    }
  }

  @Test("2.4 a failure of its own type is thrown, mapped, widened and recovered from")
  func failures() async {
    @Sendable func text() -> Promise<String, ReadingError> { Promise(fulfilled: "warm") }

    let degrees = text().map { text throws(ReadingError) in
      guard let degrees = Int(text) else { throw .notANumber(text) }
      return degrees
    }
    let described = degrees.mapError { "cannot read: \($0)" }  // Promise<Int, String>
    let widened = degrees.upcast  // Promise<Int, any Error>
    let certain = degrees.recover { _ in 20 }  // Promise<Int, Never>

    #expect(await degrees.outcome() == .error(.notANumber("warm")))
    #expect(await described.outcome() == .error("cannot read: notANumber(\"warm\")"))
    #expect(await widened.outcome()?.error as? ReadingError == .notANumber("warm"))
    #expect(await certain.outcome() == .value(20))
  }

  @Test("2.3 a chain goes on after a promise whose failure was inferred, or written out")
  func inferredFailures() async {
    let parts = [Promise<Int, ReadingError>(fulfilled: 1), Promise(fulfilled: 2)]

    let all = when(fulfilled: parts)
    let count = all.map { $0.count }
    let next = Promise<Int, ReadingError>(fulfilled: 1).map { $0 + 1 }

    #expect(await count.outcome() == .value(2))
    #expect(await next.outcome() == .value(2))
  }

  // MARK: Beside async and await

  @Test("8.1 8.2 async code makes a promise, and a task waits for it", arguments: [true, false])
  func async(isReachable: Bool) async throws {
    @Sendable func logIn() async throws -> String {
      guard isReachable else { throw Fault() }
      return "ada"
    }
    @Sendable func fetchMessages(for user: String) async throws -> [String] { ["hello \(user)"] }
    let shown = Recorder<String>()
    func show(_ error: any Error) { shown.record("\(error)") }

    let messages = Promise<[String], any Error> {
      let user = try await logIn()
      return try await fetchMessages(for: user)
    }

    do {
      let count = try await messages.value.count
      if case .error(let error) = await messages.finalResult { show(error) }
      #expect(count == 1)
    } catch {
      if case .error(let error) = await messages.finalResult { show(error) }
    }
    #expect(shown.entries == (isReachable ? [] : ["Fault()"]))
  }

  @Test("13.2 a closure of several statements says what it returns, where nothing else does")
  func statements() async {
    let printed = Recorder<String>()
    @Sendable func print(_ item: Any) { printed.record("\(item)") }
    @Sendable func load(_ number: Int) -> Promise<Int, any Error> { Promise(fulfilled: number) }
    let limiter = PromiseLimiter(width: 4)

    let shown = limiter.run(on: .utility) { () -> Promise<Int, any Error> in
      print("begins")
      return load(1)
    }.then(on: .utility) { print($0) }

    #expect(await shown.outcome()?.value == 1)
    #expect(printed.entries == ["begins", "1"])
  }
}

// MARK: - Samples that are declarations

private func fetch(_ url: URL, in session: URLSession = .shared) -> Promise<Data, any Error> {
  Promise(on: .immediate) { resolver in
    let report = resolver.completionHandler(isCancellation: { ($0 as? URLError)?.code == .cancelled })
    let task = session.dataTask(with: url) { data, _, error in report(error == nil ? data : nil, error) }
    resolver.onRequestCancel(on: .immediate) { _ in task.cancel() }
    task.resume()
  }
}

private final class Question: Sendable {
  let answer: Promise<Bool, Never>
  private let resolver: Promise<Bool, Never>.Resolver

  init() { (answer, resolver) = Promise.makeWithResolver() }

  func userDidChoose(_ isYes: Bool) { resolver.fulfill(with: isYes) }
}

private enum ReadingError: Error, Equatable {
  case notANumber(String)
}

// MARK: - Stand-ins

/// A server: `stub:` fails, `stub:silence` keeps silent, and anything else is what it answers.
private final class StubProtocol: URLProtocol {
  static var session: URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [StubProtocol.self]
    return URLSession(configuration: configuration)
  }

  override static func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "stub" }
  override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func stopLoading() {}

  override func startLoading() {
    guard let url = request.url else { return }
    let answer = url.absoluteString.dropFirst("stub:".count)
    switch answer {
    case "silence": break
    case "": client?.urlProtocol(self, didFailWithError: URLError(.badServerResponse))
    default:
      let response = URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: Data(answer.utf8))
      client?.urlProtocolDidFinishLoading(self)
    }
  }
}
