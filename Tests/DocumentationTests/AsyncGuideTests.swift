import Overmorrow
import OvermorrowFlow
import OvermorrowTesting
import Testing

/// The samples of the guide `AsyncCode.md` and of the comments on its functions.
@Suite(.inTurn) struct AsyncGuideTests {
  @Test("20.1 20.6 a closure has a limited time, and is repeated")
  func page() async throws {
    let service = Service()

    let policy = PromiseRetryPolicy(attempts: 3, backoff: .exponential(.milliseconds(200)).jittered())

    func page() async throws -> String {
      try await withRetry(policy) { _ in
        try await withTimeout(.seconds(20)) {
          try await service.page()
        }
      }
    }

    #expect(try await page() == "page!")
    do {
      let page = try await withTimeout(.seconds(20)) {
        try await service.page()
      }
      #expect(page == "page!")
    }
    do {
      let policy = PromiseRetryPolicy(attempts: 4, backoff: .exponential(.milliseconds(200)))
      let page = try await withRetry(policy) { _ in
        try await service.page()
      }
      #expect(page == "page!")
    }
  }

  @Test("20.2 20.10 a timeout has a name without a failure type")
  func timedOut() async throws {
    struct Service {
      func page() async throws -> String { throw AsyncTimeoutError.timedOut }
    }
    let service = Service()
    var page = ""

    do {
      page = try await withTimeout(.seconds(20)) { try await service.page() }
    } catch AsyncTimeoutError.timedOut {
      page = "not available"
    }

    #expect(page == "not available")
  }

  private struct Export {
    var isReady = true
  }

  @Test("20.9 a closure is repeated until its value is right")
  func polling() async throws {
    struct Exports {
      func export() async throws -> Export { Export() }
    }
    let service = Exports()

    let polls = PromiseRetryPolicy(attempts: .max, backoff: .constant(.seconds(2)), deadline: .seconds(60))

    func export() async throws -> Export {
      try await withRetry(polls) { _ in
        try await service.export()
      } until: {
        $0.isReady
      }
    }

    #expect(try await export().isReady)
  }

  @Test("13.12 a limiter limits the number of closures")
  func turns() async throws {
    let service = Service()

    let limiter = PromiseLimiter(width: 4)

    func page(at url: String) async throws -> String {
      try await limiter.perform { try await service.page(at: url) }
    }

    #expect(try await page(at: "page") == "page!")
  }

  @Test("13.12 20.1 20.6 the functions nest")
  func nesting() async throws {
    @Sendable func download(_ url: String) async throws -> Image { Image(name: url) }

    let images = AsyncCache<String, Image>(capacity: 500, timeToLive: .seconds(600))
    let downloads = PromiseLimiter(width: 4)
    let attempts = PromiseRetryPolicy(attempts: 3, backoff: .exponential(.milliseconds(200)).jittered())

    func image(at url: String) async throws -> Image {
      try await images.value(for: url) { url in
        try await downloads.perform {
          try await withRetry(attempts) { _ in
            try await withTimeout(.seconds(10)) {
              try await download(url)
            }
          }
        }
      }
    }

    #expect(try await image(at: "image") == Image(name: "image"))
  }

  @Test("6.2 the timeout of a promise does not wait")
  func promise() async throws {
    func slowPage() async throws -> String { "page" }

    let text = try await Promise { try await slowPage() }.timeout(.seconds(20)).value

    #expect(text == "page")
  }
}
