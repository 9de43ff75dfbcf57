import Overmorrow
import Testing

/// The samples of the guide `Combining.md` and of doc comments. `CoreTests` covers the other statements of the
/// guide.
@Suite(.inTurn) struct CombiningGuideTests {
  private let shown = Recorder<String>()

  private func show(_ parts: Any...) { shown.record(parts.map { "\($0)" }.joined(separator: ", ")) }
  private func show(_ user: String, _ avatar: Image) { show(user, avatar.name) }

  @Test("5.1 when(fulfilled:) gives the values in order, even for promises of different types")
  func fulfilled() async {
    func fetchPage(_ number: Int) -> Promise<String, any Error> { Promise(fulfilled: "page \(number)") }
    func fetchUser() -> Promise<String, any Error> { Promise(fulfilled: "Ada") }
    func fetchUnreadCount() -> Promise<Int, any Error> { Promise(fulfilled: 3) }
    func loadAvatar() -> Promise<Image, any Error> { Promise(fulfilled: .anonymous) }
    let loadUser = fetchUser

    let pages = (1...2).map { fetchPage($0) }
    when(fulfilled: pages).then { pages in show(pages) }

    #expect(await shown.entries() == [#"["page 1", "page 2"]"#])

    let title = when(fulfilled: fetchUser(), fetchUnreadCount()).map { user, unread in
      "\(user) (\(unread))"
    }

    #expect(await title.outcome()?.value == "Ada (3)")

    when(fulfilled: loadUser(), loadAvatar()).then { user, avatar in show(user, avatar) }

    #expect(await shown.entries() == ["Ada, anonymous"])
  }

  @Test("5.1 the first input that fails decides, and with cancelOnFailure asks the others to cancel")
  func failing() {
    let (result, probes) = CancelProbe<Int, Fault>.feed(3) { parts in
      let whole = when(fulfilled: parts, cancelOnFailure: true)
      return whole
    }
    probes[1].resolver.reject(with: Fault())
    #expect(result.result == .error(Fault()))
    #expect(probes.map(\.requestCount) == [1, 0, 1])
  }

  @Test("5.2 when(first:) takes the first input that is fulfilled or rejected, and ignores cancelled inputs")
  func first() {
    let (download, probes) = CancelProbe<String, any Error>.feed(3) { downloads in
      let fastest = when(first: downloads, cancelRemaining: true)
      return fastest
    }
    probes[2].resolver.cancel()
    #expect(download.result == nil)
    probes[1].resolver.fulfill(with: "page")
    #expect(download.result?.value == "page")
    #expect(probes.map(\.requestCount) == [1, 0, 0])

    let (server, far) = (CancelProbe<String, any Error>(), CancelProbe<String, any Error>())
    func loadFromDisk() -> Promise<String, any Error> { Promise(fulfilled: "page") }
    func loadFromServer() -> Promise<String, any Error> { server.promise }
    func load(_ mirror: String) -> Promise<String, any Error> { mirror == "far" ? far.promise : loadFromDisk() }
    let mirrors = ["far", "near"]

    let page = when(first: [loadFromDisk(), loadFromServer()], cancelRemaining: true)
    let image = when(first: mirrors.map { load($0) }, cancelRemaining: true)

    #expect(page.result?.value == "page" && image.result?.value == "page")
    #expect(server.requestCount == 1 && far.requestCount == 1)
  }

  @Test("5.3 when(settled:) waits for the last input, whatever its outcome or its type")
  func settled() async {
    let (last, resolver) = Promise<Int, Fault>.makeWithResolver()
    let promises = [last, Promise(rejected: Fault()), Promise(with: .cancelled)]
    let uploads = promises
    func loadUser() -> Promise<String, any Error> { Promise(rejected: Fault()) }
    func loadAvatar() -> Promise<Image, Never> { Promise(with: .cancelled) }

    let results = when(settled: promises)

    #expect(results.result == nil)
    resolver.fulfill(with: 1)
    #expect(results.result == .value([.value(1), .error(Fault()), .cancelled]))

    when(settled: uploads).then { results in
      show("\(results.filter { $0.value != nil }.count) of \(results.count) are there")
    }

    #expect(await shown.entries() == ["1 of 3 are there"])

    when(settled: loadUser(), loadAvatar()).then { user, avatar in
      show(user.value ?? "nobody", avatar.value ?? .anonymous)
    }

    #expect(await shown.entries() == ["nobody, anonymous"])
  }

  @Test("5.3 a dictionary of promises gives a dictionary of values")
  func dictionary() async {
    func fetchTitle() -> Promise<String, any Error> { Promise(fulfilled: "Ada") }
    func fetchBody() -> Promise<String, any Error> { Promise(fulfilled: "text") }
    @Sendable func show(_ texts: [String: String]) { self.show(texts.sorted { $0.key < $1.key }.map(\.value)) }
    @Sendable func show(_ title: String?, _ body: String?) { self.show([title, body].compactMap(\.self)) }

    when(fulfilled: ["title": fetchTitle(), "body": fetchBody()]).then { texts in show(texts) }

    #expect(await shown.entries() == [#"["text", "Ada"]"#])

    when(fulfilled: ["title": fetchTitle(), "body": fetchBody()]).then { texts in show(texts["title"], texts["body"]) }

    #expect(await shown.entries() == [#"["Ada", "text"]"#])
  }

  @Test("5.3 when(settled:) of a dictionary gives values for some keys and errors for others")
  func settledDictionary() async {
    func fetchTitle() -> Promise<String, any Error> { Promise(rejected: Fault()) }
    func fetchTeaser() -> Promise<String, any Error> { Promise(fulfilled: "soon") }
    let (fetchNews, fetchWeather) = (fetchTitle, fetchTeaser)

    let parts = when(settled: ["title": fetchTitle(), "teaser": fetchTeaser()])
    let summary = parts.map { parts in
      let title = parts["title"]?.value ?? "untitled"
      return "\(title): \(parts["teaser"]?.value ?? "")"
    }

    #expect(await summary.outcome()?.value == "untitled: soon")

    when(settled: ["news": fetchNews(), "weather": fetchWeather()]).then { parts in
      show(parts["news"]?.value ?? "no news", parts["weather"]?.value ?? "no forecast")
    }

    #expect(await shown.entries() == ["no news, soon"])
  }

  @Test(
    "5.3 when(firstFulfilled:) fails with all reasons, and says so if there was no input",
    arguments: zip(
      [[], ["a", "b"], ["a", "near", "b"]], ["no mirror is known", "all mirrors have failed: [a, b]", nil])
  )
  func firstFulfilled(mirrors names: [String], reason: String?) async {
    let value = reason == nil ? "near" : nil
    @Sendable func report(_ text: String) { show(text) }
    @Sendable func load(_ mirror: String) -> Promise<String, any Error> {
      mirror == "near" ? Promise(fulfilled: mirror) : Promise(rejected: Flaw(stringLiteral: mirror))
    }
    do {
      let mirrors = names.map { load($0) }

      let copy = when(firstFulfilled: mirrors, cancelRemaining: true).catch { error in
        report(error.isEmpty ? "no mirror is known" : "all mirrors have failed: \(error.errors)")
      }

      #expect(await copy.outcome()?.value == value)
      #expect(await shown.entries(reason == nil ? 0 : 1) == [reason].compactMap(\.self))
    }
    let mirrors = names

    let copy = when(firstFulfilled: mirrors.map { load($0) }, cancelRemaining: true)
    copy.then { show($0) }
      .catch { error in report("no mirror has it: \(error.errors)") }

    #expect(await shown.entries() == [value ?? "no mirror has it: [\(names.joined(separator: ", "))]"])
  }

  @Test("5.5 with maxConcurrent, the next promise starts when one ends, and none after a failure")
  func bounded() async {
    let urls = 0..<10
    let loads = urls.map { _ in Promise<String, Fault>.makeWithResolver() }
    let started = Recorder<Int>()
    @Sendable func loadThumbnail(_ url: Int) -> Promise<String, Fault> {
      started.record(url)
      return loads[url].0
    }
    @Sendable func fetchPage(_ url: Int) -> Promise<String, any Error> { Promise(fulfilled: "\(url)") }

    let thumbnails = when(fulfilled: urls, maxConcurrent: 4, cancelOnFailure: true, on: .immediate) { url in
      loadThumbnail(url)
    }

    #expect(started.entries == [0, 1, 2, 3])
    loads[2].1.fulfill(with: "")
    loads[0].1.reject(with: Fault())
    #expect(started.entries == [0, 1, 2, 3, 4])
    #expect(thumbnails.result == .error(Fault()))
    #expect(loads[4].1.hasRequestedCancel)

    let pages = when(fulfilled: urls, maxConcurrent: 4, cancelOnFailure: true, on: .utility) { url in
      fetchPage(url)
    }

    let results = when(settled: urls, maxConcurrent: 4, on: .utility) { url in
      fetchPage(url)
    }

    #expect(await pages.outcome()?.value == urls.map(String.init))
    #expect(await results.outcome()?.value?.map(\.value) == urls.map(String.init))
  }

  @Test("8.12 a when with maxConcurrent takes an async closure")
  func combining() async {
    let (urls, service) = (["a", "bc", "def"], Service())
    @Sendable func size(of url: String) async throws -> Int { url.count }

    let sizes = when(fulfilled: urls, maxConcurrent: 4) { url in try await size(of: url) }

    let outcomes = when(settled: urls, maxConcurrent: 4) { url in try await size(of: url) }

    let pages = when(fulfilled: urls, maxConcurrent: 4) { url in
      try await service.page(at: url)
    }

    let results = when(settled: urls, maxConcurrent: 4) { url in
      try await service.page(at: url)
    }

    #expect(await outcomes.outcome()?.value?.map(\.value) == [1, 2, 3])
    #expect(await results.outcome()?.value?.map(\.value) == ["a!", "bc!", "def!"])
    #expect(await sizes.outcome()?.value == [1, 2, 3])
    #expect(await pages.outcome()?.value == ["a!", "bc!", "def!"])
  }

  @Test("5.4 joining holds the decision back until the other inputs have finished")
  func joining() async {
    let slow = CancelProbe<Int, any Error>()
    let (parts, archives) = (["bad", "good"], ["bad", "good"])
    func copy(_ part: String) -> Promise<Int, any Error> { part == "bad" ? Promise(rejected: Fault()) : slow.promise }
    let unpack = copy
    @Sendable func removeFolder() { show("folder") }

    let unpacked = when(fulfilled: archives.map { unpack($0) }, cancelOnFailure: true, joining: true)
    unpacked.catch { _ in removeFolder() }

    let copies = when(fulfilled: parts.map { copy($0) }, cancelOnFailure: true, joining: true)
    copies.catch { _ in removeFolder() }  // no copy writes there any more

    #expect(slow.requestCount == 1)
    #expect(unpacked.result == nil && copies.result == nil)
    slow.resolver.cancel()
    #expect(await shown.entries(2).count == 2)
    #expect(unpacked.result?.error is Fault && copies.result?.error is Fault)
  }
}
