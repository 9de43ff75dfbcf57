import Foundation
import Overmorrow
import OvermorrowFlow
import Testing

private let requests = Counter()

/// A stand-in for a server whose first answer is an error.
private func fetchImage(_ url: URL) -> Promise<Image, any Error> {
  requests.increment()
  return requests.count == 1 ? Promise(rejected: Fault()) : Promise(fulfilled: Image(name: url.lastPathComponent))
}

private struct Gallery {
  let images = PromiseCache<URL, Image, any Error>(capacity: 500, timeToLive: .seconds(600))
  let downloads = PromiseLimiter(width: 4)
  let policy = PromiseRetryPolicy(attempts: 3, backoff: .exponential(.milliseconds(200)).jittered())

  func image(at url: URL) -> Promise<Image, any Error> {
    images.promise(for: url, on: .utility) { [downloads, policy] url in
      downloads.run(on: .utility) {
        Promise.retry(policy, on: .utility) { _ in fetchImage(url).timeout(.seconds(10)) }
      }
    }
  }
}

/// The samples of the first page of `OvermorrowFlow`.
@Suite(.inTurn) struct FlowGuideTests {
  @Test("6.5 13.2 14.1 a cached load in a limiter is retried after an error, and shared")
  func gallery() async throws {
    let (gallery, url) = (Gallery(), URL(filePath: "/ada"))
    let shown = Recorder<Image>()
    let show = shown.record

    let image = try await gallery.image(at: url).value
    show(image)

    #expect(shown.entries == [Image(name: "ada")])
    #expect(gallery.image(at: url).result?.value == Image(name: "ada"))
    #expect(requests.count == 2)
  }
}
