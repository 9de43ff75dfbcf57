import Overmorrow
import Testing

/// The samples of the guide `Combining.md`, and what it says of them.
@Suite(.inTurn) struct CombiningGuideTests {
  // MARK: All of them

  @Test("5.1 when(fulfilled:) gives the values in order, however the inputs come")
  func fulfilled() async {
    let slow = Promise<String, any Error>.makeWithResolver()
    let quick = Promise<String, any Error>.makeWithResolver()
    let (shown, isShown) = (Recorder<[String]>(), Latch())
    @Sendable func show(_ pages: [String]) {
      shown.record(pages)
      isShown.signal()
    }
    func fetchPage(_ number: Int) -> Promise<String, any Error> { number == 1 ? slow.0 : quick.0 }

    let pages = (1...2).map { fetchPage($0) }
    when(fulfilled: pages).then { pages in show(pages) }

    quick.1.fulfill(with: "two")
    #expect(shown.entries == [])
    slow.1.fulfill(with: "one")
    await isShown.wait(for: "the pages")
    #expect(shown.entries == [["one", "two"]])
  }

  @Test("5.1 when(fulfilled:) takes promises of different types, too")
  func pack() async {
    func fetchUser() -> Promise<String, any Error> { Promise(fulfilled: "Ada") }
    func fetchUnreadCount() -> Promise<Int, any Error> { Promise(fulfilled: 3) }

    let title = when(fulfilled: fetchUser(), fetchUnreadCount()).map { user, unread in
      "\(user) (\(unread))"
    }

    #expect(await title.outcome()?.value == "Ada (3)")
  }

  @Test("5.1 the first input that fails decides, and asks the others to cancel if it is to")
  func failing() {
    let asked = Recorder<Int>()
    let inputs = (0..<3).map { index in
      let (promise, resolver) = Promise<Int, Fault>.makeWithResolver()
      resolver.onRequestCancel(on: .immediate) { resolver in
        asked.record(index)
        resolver.cancel()
      }
      return (promise: promise, resolver: resolver)
    }
    let parts = inputs.map(\.promise)

    let whole = when(fulfilled: parts, cancelOnFailure: true)

    inputs[1].resolver.reject(with: Fault())
    #expect(whole.result == .error(Fault()))
    #expect(asked.entries == [0, 2])
    withExtendedLifetime(inputs) {}
  }

  // MARK: The first of them

  @Test("5.2 when(first:) takes the first that is fulfilled or rejected, and ignores the cancelled")
  func first() {
    let mirrors = (0..<3).map { _ in Promise<String, any Error>.makeWithResolver() }
    let asked = Counter()
    for mirror in mirrors { mirror.1.onRequestCancel(on: .immediate) { _ in asked.increment() } }
    let downloads = mirrors.map(\.0)

    let fastest = when(first: downloads, cancelRemaining: true)

    mirrors[2].1.cancel()
    #expect(fastest.result == nil)
    mirrors[1].1.fulfill(with: "page")
    #expect(fastest.result?.value == "page")
    #expect(asked.count == 1)
    withExtendedLifetime(mirrors) {}
  }

  @Test("5.2 all cancelled, or none there, is cancelled")
  func allCancelled() {
    #expect(when(first: [Promise<Int, Fault>(with: .cancelled)]).result == .cancelled)
    #expect(when(first: [] as [Promise<Int, Fault>]).result == .cancelled)
    #expect(when(fulfilled: [] as [Promise<Int, Fault>]).result == .value([]))
  }

  @Test("5.2 when(first:) takes promises without brackets, too")
  func firstOfTwo() {
    let (slow, resolver) = Promise<String, any Error>.makeWithResolver()
    @Sendable func loadFromDisk() -> Promise<String, any Error> { Promise(fulfilled: "page") }
    @Sendable func loadFromServer() -> Promise<String, any Error> { slow }

    let page = when(first: loadFromDisk(), loadFromServer(), cancelRemaining: true)

    #expect(page.result?.value == "page")
    #expect(resolver.hasRequestedCancel)
  }

  // MARK: Whatever they become

  @Test("5.3 when(settled:) waits for the last, whatever becomes of it")
  func settled() {
    let (last, resolver) = Promise<Int, Fault>.makeWithResolver()
    let promises = [last, Promise(rejected: Fault()), Promise(with: .cancelled)]

    let results = when(settled: promises)

    #expect(results.result == nil)
    resolver.fulfill(with: 1)
    #expect(results.result == .value([.value(1), .error(Fault()), .cancelled]))
  }

  // MARK: By key

  @Test("5.3 a dictionary of promises gives a dictionary of values")
  func dictionary() async {
    let (shown, isShown) = (Recorder<[String: String]>(), Latch())
    @Sendable func show(_ texts: [String: String]) {
      shown.record(texts)
      isShown.signal()
    }
    func fetchTitle() -> Promise<String, any Error> { Promise(fulfilled: "Ada") }
    func fetchBody() -> Promise<String, any Error> { Promise(fulfilled: "text") }

    when(fulfilled: ["title": fetchTitle(), "body": fetchBody()]).then { texts in show(texts) }

    await isShown.wait(for: "the texts")
    #expect(shown.entries == [["title": "Ada", "body": "text"]])
  }

  @Test("5.3 when(settled:) of a dictionary gives what there is, and errors for what there is not")
  func settledDictionary() async {
    func fetchTitle() -> Promise<String, any Error> { Promise(rejected: Fault()) }
    func fetchTeaser() -> Promise<String, any Error> { Promise(fulfilled: "soon") }

    let parts = when(settled: ["title": fetchTitle(), "teaser": fetchTeaser()])
    let summary = parts.map { parts in
      let title = parts["title"]?.value ?? "untitled"
      return "\(title): \(parts["teaser"]?.value ?? "")"
    }

    #expect(await summary.outcome()?.value == "untitled: soon")
  }

  // MARK: The first that is fulfilled

  @Test("5.3 when(firstFulfilled:) fails with all reasons, and says so when there was no input")
  func firstFulfilled() async {
    let reports = Recorder<String>()
    @Sendable func report(_ text: String) { reports.record(text) }
    for mirrors in [[], [1, 2], [1, 0, 2]].map({ $0.map { Promise<Int, Never>(fulfilled: $0) } }) {
      let mirrors = mirrors.map { promise in
        promise.upcast.flatMap(on: .immediate) { number -> Promise<Int, any Error> in
          number == 0 ? Promise(fulfilled: 0) : Promise(rejected: Numbered(number: number))
        }
      }

      let copy = when(firstFulfilled: mirrors, cancelRemaining: true).catch { error in
        report(error.isEmpty ? "no mirror is known" : "all mirrors have failed: \(error.errors)")
      }

      let value = await copy.outcome()?.value
      #expect((value != nil) == (mirrors.count == 3))
    }
    #expect(reports.entries == ["no mirror is known", "all mirrors have failed: [1, 2]"])
  }

  // MARK: So many at a time

  @Test("5.5 with maxConcurrent the next one is started when there is room for it, and nothing after a failure")
  func bounded() {
    let urls = 0..<10
    let loads = urls.map { _ in Promise<String, Fault>.makeWithResolver() }
    let started = Recorder<Int>()
    @Sendable func loadThumbnail(_ url: Int) -> Promise<String, Fault> {
      started.record(url)
      return loads[url].0
    }

    let thumbnails = when(fulfilled: urls, maxConcurrent: 4, cancelOnFailure: true, on: .immediate) { url in
      loadThumbnail(url)
    }

    #expect(started.entries == [0, 1, 2, 3])
    loads[2].1.fulfill(with: "")
    loads[0].1.reject(with: Fault())
    #expect(started.entries == [0, 1, 2, 3, 4])
    #expect(thumbnails.result == .error(Fault()))
    #expect(loads[4].1.hasRequestedCancel)
  }

  // MARK: Joining

  @Test("5.4 joining keeps the decision until the others have finished")
  func joining() async {
    let slow = Promise<Int, Fault>.makeWithResolver()
    let (removed, isRemoved) = (Counter(), Latch())
    let archives = [0, 1]
    func unpack(_ archive: Int) -> Promise<Int, Fault> { archive == 0 ? Promise(rejected: Fault()) : slow.0 }
    @Sendable func removeFolder() {
      removed.increment()
      isRemoved.signal()
    }

    let unpacked = when(fulfilled: archives.map { unpack($0) }, cancelOnFailure: true, joining: true)
    unpacked.catch { _ in removeFolder() }

    #expect(slow.1.hasRequestedCancel)
    #expect(removed.count == 0)
    slow.1.cancel()
    await isRemoved.wait(for: "the folder to be removed")
    #expect(removed.count == 1)
  }

  // MARK: Cancelling

  @Test("3.6 a combinator that has decided lets go of its votes and of all values")
  func decided() {
    let tracker = Tracker()
    let (slow, resolver) = Promise<Tracker.Tracked, Fault>.makeWithResolver()
    let child = slow.makeChild()
    do {
      let all = when(fulfilled: [Promise(fulfilled: tracker.make()), slow, Promise(rejected: Fault())])
      #expect(all.result?.error == Fault())
    }
    #expect(tracker.count == 0)
    #expect(!resolver.hasRequestedCancel)
    withExtendedLifetime(child) {}
  }

  @Test("3.6 a request to cancel is one vote on each input")
  func votes() {
    let asked = Recorder<String>()
    func part(_ name: String) -> Promise<Int, Fault> {
      let (promise, resolver) = Promise<Int, Fault>.makeWithResolver()
      resolver.onRequestCancel(on: .immediate) { resolver in
        asked.record(name)
        resolver.cancel()
      }
      // Kept by a child that has no vote, so that it is not dropped.
      promise.tap(on: .immediate) { _ in withExtendedLifetime(resolver) {} }
      return promise
    }
    let shared = part("shared")
    let whole = when(fulfilled: [part("own"), shared])
    whole.requestCancel()
    #expect(asked.entries == ["own"])
    #expect(whole.result == .cancelled)
    withExtendedLifetime(shared) {}
  }

  @Test("8.12 a when with maxConcurrent takes an async closure")
  func combining() async {
    let urls = ["a", "bc", "def"]
    @Sendable func size(of url: String) async throws -> Int { url.count }

    let sizes = when(fulfilled: urls, maxConcurrent: 4) { url in try await size(of: url) }

    #expect(await sizes.outcome()?.value == [1, 2, 3])
  }
}

// MARK: - Stand-ins

private struct Fault: Error, Equatable {}

private struct Numbered: Error, CustomStringConvertible {
  let number: Int
  var description: String { "\(number)" }
}
