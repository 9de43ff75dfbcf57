import Foundation
import Overmorrow
import OvermorrowFlow
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The samples of `README.md`, of the landing page `Overmorrow.md`, of the guide `GettingStarted.md`, and of the
/// comments on promises. `CoreTests` covers the other statements.
@Suite("18.4 the samples of the first steps and of comments", .inTurn) struct GettingStartedGuideTests {
  private let shown = Recorder<String>()

  private func show(_ thing: Any) { shown.record("\(thing)") }

  @Test("2.1 the program of the README prints its forecast, then ends")
  @MainActor func readme() async {
    let ended = Latch()
    let print = shown.record
    let exit: @Sendable (Int) -> Void = { _ in ended.signal() }
    let dispatchMain = {}

    let forecast = Promise<String, any Error>(on: .utility) { resolver in
      resolver.fulfill(with: "sunny")  // or reject(with:), or cancel(), or throw; here, or later from any thread
    }

    forecast
      .map { "The day after tomorrow: \($0)" }
      .then { print($0) }
      .catch { print("No forecast: \($0)") }
      .always { _ in exit(0) }

    dispatchMain()

    await ended.wait(for: "the end of the program")
    #expect(await shown.entries() == ["The day after tomorrow: sunny"])
  }

  // MARK: Making a promise

  @Test("1.3 2.1 a body fulfils through its resolver, or rejects by throwing", arguments: [true, false])
  func body(isThere: Bool) async {
    let (print, loadGreeting) = (shown.record, readThermometer)
    @Sendable func readThermometer() throws -> String {
      guard isThere else { throw Fault() }
      return "hello, 4 °C"
    }

    let temperature = Promise<String, any Error>(on: .utility) { resolver in
      let text = try readThermometer()
      resolver.fulfill(with: text)
    }

    #expect(await temperature.outcome()?.value == (isThere ? "hello, 4 °C" : nil))
    #expect((temperature.result?.error is Fault) == !isThere)

    let greeting = Promise<String, any Error>(on: .utility) { resolver in
      resolver.fulfill(with: try loadGreeting())
    }
    greeting.map(on: .utility) { $0.uppercased() }
      .then { print($0) }
      .catch { print("no greeting: \($0)") }

    #expect(await shown.entries() == [isThere ? "HELLO, 4 °C" : "no greeting: Fault()"])
  }

  @Test(
    "1.9 a wrapped callback fulfils, rejects, or cancels after a request",
    arguments: ["data:,4", "nowhere:", "silence:"])
  func fetching(address: String) async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [SilentProtocol.self] + (configuration.protocolClasses ?? [])
    let load = fetch(try #require(URL(string: address)), in: URLSession(configuration: configuration))
    if address == "silence:" { load.requestCancel() }
    let result = await load.outcome()
    #expect(result?.value == (address == "data:,4" ? Data("4".utf8) : nil))
    #expect((result?.error as? URLError)?.code == (address == "nowhere:" ? .unsupportedURL : nil))
    #expect(result?.isCancelled == (address == "silence:"))
  }

  @Test("1.9 completionHandler adapts an interface that reports a value or an error")
  func completionHandler() {
    @Sendable func find(_ place: String, completion: @escaping @Sendable (Int?, (any Error)?) -> Void) {
      place == "here" ? completion(1, nil) : completion(nil, CocoaError(.userCancelled))
    }
    func search(_ place: String) -> Promise<Int, any Error> {
      Promise(on: .immediate) { resolver in
        find(place, completion: resolver.completionHandler(isCancellation: { $0 is CocoaError }))
      }
    }
    #expect(search("here").result?.value == 1)
    #expect(search("there").result?.isCancelled == true)
  }

  @Test("1.2 a stored resolver resolves once, and cancels when it is released")
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

  @Test("1.11 a lazy promise starts its work when it is first read")
  func lazy() async {
    typealias Image = String
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
    do {
      let preview = LazyPromise<Image, any Error>(on: .utility) { resolver in
        resolver.fulfill(with: try render())
      }
      // nothing has been rendered yet
      #expect(rendered.count == 1, "by the promise above")
      preview.promise.then { show($0) }
      #expect(await shown.entries() == ["preview"])
    }
    #expect(rendered.count == 2)
  }

  // MARK: Observing

  @Test("2.1 a chain shows the value or the error, then hides what it showed before", arguments: [true, false])
  @MainActor func chain(isReachable: Bool) async {
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

    #expect(await shown.entries(3) == ["spinner", isReachable ? "rain" : "error", "no spinner"])
  }

  // MARK: Transforming

  @Test("2.4 flatMap adopts the promise that its closure returns")
  func adopting() async {
    @Sendable func logIn() -> Promise<String, any Error> { Promise(fulfilled: "ada") }
    @Sendable func fetchMessages(for user: String) -> Promise<[String], any Error> {
      Promise(on: .utility, fulfilled: ["hello \(user)"], after: .zero)
    }

    let messages = logIn().flatMap { user in
      fetchMessages(for: user)
    }

    #expect(await messages.outcome()?.value == ["hello ada"])

    // The sample of the doc comment.
    do {
      let messages = logIn().flatMap(on: .utility) { user in
        fetchMessages(for: user)
      }
      #expect(await messages.outcome()?.value == ["hello ada"])
    }
  }

  @Test("2.4 a custom failure type is thrown, mapped, widened and recovered from")
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

    typealias Picture = Image
    func load(_ url: String) -> Promise<Image, any Error> { Promise(rejected: Fault()) }
    let url = "stub:ada"

    let avatar: Promise<Picture, Never> = load(url).recover(on: .immediate) { _ in .anonymous }

    #expect(avatar.result == .value(.anonymous))
  }

  @Test("2.3 a chain continues after a promise whose failure type is inferred or written out")
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
    #expect(await shown.entries(isReachable ? 0 : 1) == (isReachable ? [] : ["Fault()"]))
  }

  @Test("13.2 a closure of several statements declares its result type where nothing else determines it")
  func statements() async {
    @Sendable func print(_ item: Any) { show(item) }
    @Sendable func load(_ number: Int) -> Promise<Int, any Error> { Promise(fulfilled: number) }
    let limiter = PromiseLimiter(width: 4)

    let printed = shown
    let shown = limiter.run(on: .utility) { () -> Promise<Int, any Error> in
      print("begins")
      return load(1)
    }.then(on: .utility) { print($0) }

    #expect(await shown.outcome()?.value == 1)
    #expect(await printed.entries(2) == ["begins", "1"])
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

/// A URL protocol that never answers requests for `silence:`.
private final class SilentProtocol: URLProtocol {
  override static func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "silence" }
  override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func startLoading() {}
  override func stopLoading() {}
}
