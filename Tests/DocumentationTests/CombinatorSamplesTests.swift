import Overmorrow
import Testing

/// The samples in the documentation comments of the combinators.
@Suite(.inTurn) struct CombinatorSamplesTests {
  @Test("5.1 when(fulfilled:): promises of different types")
  func whenPack() async {
    let shown = Recorder<String>()
    let done = Latch()
    func loadUser() -> Promise<String, any Error> { Promise(fulfilled: "Ada") }
    func loadAvatar() -> Promise<Image, any Error> { Promise(fulfilled: .anonymous) }
    @Sendable func show(_ user: String, _ avatar: Image) {
      shown.record("\(user), \(avatar.name)")
      done.signal()
    }

    when(fulfilled: loadUser(), loadAvatar()).then { user, avatar in show(user, avatar) }

    await done.wait(for: "the user to be shown")
    #expect(shown.entries == ["Ada, anonymous"])
  }

  @Test("5.2 when(first:): the quickest of several mirrors")
  func whenFirst() {
    let slow = Promise<Image, any Error>.makeWithResolver()
    func load(_ mirror: String) -> Promise<Image, any Error> {
      mirror == "near" ? Promise(fulfilled: .anonymous) : slow.0
    }
    let mirrors = ["far", "near"]

    let image = when(first: mirrors.map { load($0) }, cancelRemaining: true)

    #expect(image.result?.value == .anonymous)
    #expect(slow.1.hasRequestedCancel)
  }

  @Test("5.2 when(first:): the disk or the server, whichever is quicker")
  func whenFirstOfTwo() {
    let slow = Promise<String, any Error>.makeWithResolver()
    func loadFromDisk() -> Promise<String, any Error> { Promise(fulfilled: "page") }
    func loadFromServer() -> Promise<String, any Error> { slow.0 }

    let page = when(first: loadFromDisk(), loadFromServer(), cancelRemaining: true)

    #expect(page.result?.value == "page")
    #expect(slow.1.hasRequestedCancel)
  }

  @Test("5.4 when(fulfilled:joining:): the folder is removed when nobody writes there any more")
  func joining() async {
    let parts = ["a", "b"]
    let slow = Promise<Int, any Error>.makeWithResolver()
    let removed = Latch()
    func copy(_ part: String) -> Promise<Int, any Error> { part == "a" ? Promise(rejected: Fault()) : slow.0 }
    @Sendable func removeFolder() { removed.signal() }

    let copies = when(fulfilled: parts.map { copy($0) }, cancelOnFailure: true, joining: true)
    copies.catch { _ in removeFolder() }  // nobody writes there any more

    #expect(slow.1.hasRequestedCancel)
    #expect(copies.result == nil)
    slow.1.cancel()
    await removed.wait(for: "the folder to be removed")
  }

  @Test("5.3 when(firstFulfilled:): the first mirror that has it")
  func firstFulfilled() async {
    let mirrors = ["far", "near"]
    let shown = Recorder<String>()
    let done = Latch(2)
    func load(_ mirror: String) -> Promise<Image, any Error> {
      mirror == "near" ? Promise(fulfilled: .anonymous) : Promise(rejected: Fault())
    }
    @Sendable func show(_ image: Image) {
      shown.record(image.name)
      done.signal()
    }
    @Sendable func report(_ text: String) {
      shown.record(text)
      done.signal()
    }

    let copy = when(firstFulfilled: mirrors.map { load($0) }, cancelRemaining: true)
    copy.then { show($0) }
      .catch { error in report("no mirror has it: \(error.errors)") }
    when(firstFulfilled: ["far"].map { load($0) })
      .catch { error in report("no mirror has it: \(error.errors)") }

    await done.wait(for: "an image and an error")
    #expect(shown.entries.contains("anonymous"))
    #expect(shown.entries.contains { $0.hasPrefix("no mirror has it: [") })
  }

  @Test("5.3 when(settled:): how many uploads are there")
  func settled() async {
    let uploads: [Promise<Int, any Error>] = [Promise(fulfilled: 1), Promise(rejected: Fault())]
    let shown = Recorder<String>()
    let done = Latch()
    @Sendable func show(_ text: String) {
      shown.record(text)
      done.signal()
    }

    when(settled: uploads).then { results in
      show("\(results.filter { $0.value != nil }.count) of \(results.count) are there")
    }

    await done.wait(for: "the results")
    #expect(shown.entries == ["1 of 2 are there"])
  }

  @Test("5.3 when(settled:): promises of different types")
  func settledPack() async {
    let shown = Recorder<String>()
    let done = Latch()
    func loadUser() -> Promise<String, any Error> { Promise(rejected: Fault()) }
    func loadAvatar() -> Promise<Image, Never> { Promise(with: .cancelled) }
    @Sendable func show(_ user: String, _ avatar: Image) {
      shown.record("\(user), \(avatar.name)")
      done.signal()
    }

    when(settled: loadUser(), loadAvatar()).then { user, avatar in
      show(user.value ?? "nobody", avatar.value ?? .anonymous)
    }

    await done.wait(for: "the user to be shown")
    #expect(shown.entries == ["nobody, anonymous"])
  }

  @Test("5.3 when(fulfilled:): promises by key")
  func dictionary() async {
    let shown = Recorder<[String?]>()
    let done = Latch()
    func fetchTitle() -> Promise<String, any Error> { Promise(fulfilled: "title") }
    func fetchBody() -> Promise<String, any Error> { Promise(fulfilled: "body") }
    @Sendable func show(_ title: String?, _ body: String?) {
      shown.record([title, body])
      done.signal()
    }

    when(fulfilled: ["title": fetchTitle(), "body": fetchBody()]).then { texts in show(texts["title"], texts["body"]) }

    await done.wait(for: "the texts")
    #expect(shown.entries == [["title", "body"]])
  }

  @Test("5.3 when(settled:): what becomes of several parts, by key")
  func settledDictionary() async {
    let shown = Recorder<[String]>()
    let done = Latch()
    func fetchNews() -> Promise<String, any Error> { Promise(rejected: Fault()) }
    func fetchWeather() -> Promise<String, any Error> { Promise(fulfilled: "sunny") }
    @Sendable func show(_ news: String, _ weather: String) {
      shown.record([news, weather])
      done.signal()
    }

    when(settled: ["news": fetchNews(), "weather": fetchWeather()]).then { parts in
      show(parts["news"]?.value ?? "no news", parts["weather"]?.value ?? "no forecast")
    }

    await done.wait(for: "the parts")
    #expect(shown.entries == [["no news", "sunny"]])
  }

  @Test("5.5 when(fulfilled:maxConcurrent:): four pages at a time")
  func bounded() async {
    let urls = (1...9).map { "stub:\($0)" }
    @Sendable func fetchPage(_ url: String) -> Promise<String, any Error> { Promise(fulfilled: url.uppercased()) }

    let pages = when(fulfilled: urls, maxConcurrent: 4, cancelOnFailure: true, on: .utility) { url in
      fetchPage(url)
    }

    #expect(await pages.outcome()?.value == urls.map { $0.uppercased() })
  }

  @Test("8.12 when(fulfilled:maxConcurrent:): four async calls at a time")
  func boundedAsync() async {
    struct Service: Sendable {
      func page(at url: String) async throws -> String { url + "!" }
    }
    let (urls, service) = (["a", "b"], Service())

    let pages = when(fulfilled: urls, maxConcurrent: 4) { url in
      try await service.page(at: url)
    }

    #expect(await pages.outcome()?.value == ["a!", "b!"])
  }
}

// MARK: - Stand-ins

private struct Fault: Error, Equatable {}

private struct Image: Sendable, Equatable {
  static let anonymous = Image(name: "anonymous")
  var name: String
}
