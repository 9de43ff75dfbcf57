import Foundation
import Overmorrow
import OvermorrowFlow
import Testing

/// The samples and the statements of the guide `Sharing.md`.
@Suite(.inTurn) struct SharingGuideTests {
  private let url = URL(filePath: "/ada")

  @Test("14.1 14.2 a load is shared, and its value is cached until it is removed")
  func sharing() async {
    let (calls, shown) = (Counter(), Recorder<Image>())
    let show = shown.record
    @Sendable func fetchImage(_ url: URL) -> Promise<Image, any Error> {
      calls.increment()
      return Promise(fulfilled: Image(name: url.absoluteString))
    }

    let images = PromiseCache<URL, Image, any Error>(timeToLive: .seconds(600))
    let image = images.promise(for: url, on: .utility) { url in fetchImage(url) }

    #expect(await image.outcome()?.value?.name == "file:///ada")
    #expect(images.promise(for: url, on: .utility, load: fetchImage).result?.value?.name == "file:///ada")
    #expect(calls.count == 1)

    if case .value(let image)? = images.peek(url) { show(image) }
    images.remove(url)
    images.removeAll { url in url.host() == "old.example.com" }
    images.removeAll()

    #expect(shown.entries.map(\.name) == ["file:///ada"])
    #expect(images.peek(url) == nil)

    let thumbnail = Image(name: "small")
    images.setValue(thumbnail, for: url)

    #expect(images.peek(url)?.value?.name == "small")
  }

  @Test("3.6 a load is asked to cancel when its last caller has asked to cancel")
  func votes() {
    let probe = CancelProbe<Image, any Error>(complying: true)
    @Sendable func fetchImage(_ url: URL) -> Promise<Image, any Error> { probe.take() }
    let images = PromiseCache<URL, Image, any Error>()
    // Starts immediately, so that the load exists when the request arrives.
    let first = images.promise(for: url, on: .immediate, load: fetchImage)

    let mine = images.promise(for: url, on: .utility, load: fetchImage)
    let yours = images.promise(for: url, on: .utility, load: fetchImage)
    mine.requestCancel()  // yours goes on
    #expect(probe.requestCount == 0)
    yours.requestCancel()  // no caller wants it any more

    #expect(probe.requestCount == 0, "the first one still does")
    first.requestCancel()
    #expect(probe.requestCount == 1)
    #expect(yours.result?.isCancelled == true)
  }

  @Test("8.12 14.18 a load may be async, and so may its caller")
  func sharingAsync() async throws {
    let (url, service) = ("ada", Service())
    let download = service.image
    let images = PromiseCache<String, String, any Error>()

    let picture = images.promise(for: url) { url in try await download(url) }

    let image = images.promise(for: url) { url in try await service.image(at: url) }

    for promise in [picture, image] { #expect(await promise.outcome()?.value == "ada!") }
    #expect(images.peek("ada")?.value == "ada!")

    let portrait = try await images.value(for: url) { url in try await download(url) }

    let photo = try await images.value(for: url) { url in try await service.image(at: url) }

    #expect([portrait, photo] == ["ada!", "ada!"])
  }

  @Test("14.3 14.12 14.13 14.14 a cache keeps errors, returns stale values, has a capacity, and counts")
  func caching() {
    let profiles = PromiseCache<Int, String, any Error>(timeToLive: nil, failureTimeToLive: .seconds(5))

    _ = profiles.promise(for: 1, on: .immediate) { _ in Promise(rejected: CocoaError(.userCancelled)) }
    #expect(profiles.promise(for: 1, on: .immediate) { _ in Promise(fulfilled: "Ada") }.result?.error is CocoaError)

    let prices = PromiseCache<String, Int, any Error>(timeToLive: .seconds(60), staleTimeToLive: .seconds(3600))
    #expect(prices.promise(for: "tea", on: .immediate) { _ in Promise(fulfilled: 3) }.result?.value == 3)

    let quotes = PromiseCache<String, Int, any Error>(timeToLive: .seconds(60), jitter: 0.8...1.2, refreshAhead: 1)
    #expect(quotes.promise(for: "tea", on: .immediate) { _ in Promise(fulfilled: 4) }.result?.value == 4)

    let avatars = PromiseCache<Int, Image, any Error>(capacity: 500)
    for number in 0..<501 {
      _ = avatars.promise(for: number, on: .immediate) { _ in Promise(fulfilled: Image(name: "")) }
    }

    let (hits, misses, loads, failures) = avatars.counters
    #expect((hits, misses, loads) == (0, 501, 501))
    #expect((avatars.count, failures) == (500, 0))
  }

  @Test("14.37 with a soft timeout, a stale value is returned if a load fails")
  func softTimeout() async {
    let rates = PromiseCache<String, Int, any Error>(
      timeToLive: .seconds(60), staleTimeToLive: .seconds(3600), softTimeout: .milliseconds(100))
    #expect(rates.promise(for: "tea", on: .immediate) { _ in Promise(fulfilled: 3) }.result?.value == 3)

    let stale = PromiseCache<String, Int, any Error>(
      timeToLive: .zero, staleTimeToLive: .seconds(3600), softTimeout: .seconds(3600))
    stale.setValue(3, for: "tea")
    let failing = stale.promise(for: "tea", on: .immediate) { _ in Promise(rejected: CocoaError(.userCancelled)) }
    #expect(failing.result?.value == 3)
    #expect(stale.promise(for: "tea", on: .immediate) { _ in Promise(fulfilled: 4) }.result?.value == 4)
  }

  @Test("14.23 14.24 a cache limits the sum of the costs of its values")
  func costs() {
    let files = PromiseCache<String, [UInt8], any Error>(totalCostLimit: 50_000_000, cost: \.count)

    files.setValue([1, 2, 3], for: "small")
    files.setValue(Array(repeating: 0, count: 49_999_999), for: "large")
    #expect((files.count, files.totalCost) == (1, 49_999_999))
    files.setValue(Array(repeating: 0, count: 50_000_001), for: "too large")
    #expect((files.count, files.totalCost) == (1, 49_999_999))
  }

  @Test("14.29 the values of a key are observed as they change")
  func observing() async {
    let (images, url, shown) = (PromiseCache<URL, Image, any Error>(), url, Recorder<Image>())
    let show = shown.record
    images.setValue(Image(name: "old"), for: url)

    let task = Task {
      for await image in images.values(for: url) { show(image) }
    }

    #expect(await shown.entries().map(\.name) == ["old"])
    images.setValue(Image(name: "new"), for: url)
    #expect(await shown.entries().map(\.name) == ["new"])
    task.cancel()
    await task.value
  }

  @Test("3.8 14.1 a call whose promise is ignored fills the cache")
  func prefetch() {
    let (next, probe) = (url, CancelProbe<Image, any Error>())
    @Sendable func fetchImage(_ url: URL) -> Promise<Image, any Error> { probe.take() }
    let images = PromiseCache<URL, Image, any Error>()
    let begun = images.promise(for: next, on: .immediate, load: fetchImage)

    images.promise(for: next, on: .utility, load: fetchImage).always { _ in }

    begun.requestCancel()
    #expect(probe.requestCount == 0)
    probe.resolver.fulfill(with: Image(name: "next"))
    #expect(images.peek(next)?.value?.name == "next")
  }

  @Test("14.25 14.28 calls of one turn are loaded together, also behind a cache")
  @MainActor func batches() async throws {
    struct Service: Sendable {
      let calls = Recorder<[String]>()

      func pages(at urls: [String]) async throws -> [String: String] {
        calls.record(urls)
        return Dictionary(uniqueKeysWithValues: urls.map { ($0, $0 + "!") })
      }
    }
    let (calls, service) = (Recorder<[Int]>(), Service())
    @Sendable func fetchNames(of ids: [Int]) -> Promise<[Int: String], any Error> {
      calls.record(ids)
      return Promise(fulfilled: Dictionary(uniqueKeysWithValues: ids.map { ($0, "\($0)") }))
    }

    let users = PromiseBatcher<Int, String>(maxSize: 100, on: .main) { ids in fetchNames(of: ids) }
    let names = [users.promise(for: 1), users.promise(for: 2)]  // one call of fetchNames, with [1, 2]

    let cache = PromiseCache<Int, String, any Error>(timeToLive: .seconds(60))
    let name = cache.promise(for: 3, on: .immediate) { id in users.promise(for: id) }

    for (promise, value) in zip(names + [name], ["1", "2", "3"]) { #expect(try await promise.value == value) }
    #expect(calls.entries == [[1, 2, 3]])

    let pages = PromiseBatcher<String, String>(window: .milliseconds(2)) { urls in try await service.pages(at: urls) }
    let page = try await pages.value(for: "home")

    #expect((page, service.calls.entries) == ("home!", [["home"]]))
  }
}
