import Foundation
import Overmorrow
import Testing

/// The samples of the guide `Sharing.md`, and what it says of them.
@Suite(.inTurn) struct SharingGuideTests {
  @Test("14.1 14.2 a load is shared, and its value is kept until it is removed")
  func sharing() async throws {
    let url = try #require(URL(string: "stub:ada"))
    let (calls, shown) = (Counter(), Recorder<String>())
    @Sendable func fetchImage(_ url: URL) -> Promise<Image, any Error> {
      calls.increment()
      return Promise(fulfilled: Image(name: url.absoluteString))
    }
    func show(_ image: Image) { shown.record(image.name) }

    let images = PromiseCache<URL, Image, any Error>(timeToLive: .seconds(600))
    let image = images.promise(for: url, on: .utility) { url in fetchImage(url) }

    #expect(await image.outcome()?.value?.name == "stub:ada")
    #expect(images.promise(for: url, on: .utility, load: fetchImage).result?.value?.name == "stub:ada")
    #expect(calls.count == 1)

    if case .value(let image)? = images.peek(url) { show(image) }
    images.remove(url)
    images.removeAll()

    #expect(shown.entries == ["stub:ada"])
    #expect(images.peek(url) == nil)
  }

  @Test("3.6 a load is asked to cancel when the last of its callers has asked")
  func votes() throws {
    let url = try #require(URL(string: "stub:ada"))
    let asked = Counter()
    @Sendable func fetchImage(_ url: URL) -> Promise<Image, any Error> {
      let (image, resolver) = Promise<Image, any Error>.makeWithResolver()
      resolver.onRequestCancel(on: .immediate) { resolver in
        asked.increment()
        resolver.cancel()
      }
      image.tap(on: .immediate) { _ in withExtendedLifetime(resolver) {} }
      return image
    }
    let images = PromiseCache<URL, Image, any Error>()
    // Begins at once, so that it is there when the request comes.
    let first = images.promise(for: url, on: .immediate, load: fetchImage)
    first.requestCancel()
    #expect(asked.count == 1, "it was alone")
    let second = images.promise(for: url, on: .immediate, load: fetchImage)

    let mine = images.promise(for: url, on: .utility, load: fetchImage)
    let yours = images.promise(for: url, on: .utility, load: fetchImage)
    #expect(asked.count == 1)
    mine.requestCancel()  // yours goes on
    #expect(asked.count == 1)
    yours.requestCancel()  // nobody wants it any more

    #expect(asked.count == 1, "the second one still does")
    second.requestCancel()
    #expect(asked.count == 2)
    #expect(yours.result?.isCancelled == true)
  }

  @Test("14.3 errors may be kept for a while")
  func failures() {
    let profiles = PromiseCache<Int, String, any Error>(timeToLive: nil, failureTimeToLive: .seconds(5))

    _ = profiles.promise(for: 1, on: .immediate) { _ in Promise(rejected: CocoaError(.userCancelled)) }
    #expect(profiles.promise(for: 1, on: .immediate) { _ in Promise(fulfilled: "Ada") }.result?.error is CocoaError)
  }
}

// MARK: - Stand-ins

private struct Image: Sendable {
  let name: String
}
