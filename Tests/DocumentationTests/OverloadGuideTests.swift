import Overmorrow
import OvermorrowFlow
import OvermorrowTesting
import TestSupport
import Testing

/// The samples of the guide `Overload.md` and of the comments on the types for overload. `FlowTests` covers the other
/// statements.
@Suite(.inTurn) struct OverloadGuideTests {
  @Test("21.1 21.2 21.3 a gate admits requests until it is closed")
  func gate() async throws {
    @Sendable func respond(to request: Request) async throws -> Response { Response() }
    @Sendable func fetchPage() -> Promise<String, any Error> { Promise(fulfilled: "page") }

    let gate = PromiseGate()

    func answer(_ request: Request) async throws -> Response {
      try await gate.perform { try await respond(to: request) }
    }

    func shutDown() async throws {
      try await gate.close(cancellingAfter: .seconds(10))
    }

    _ = try await answer(Request())
    do {
      let page = gate.run { fetchPage() }
      #expect(page.result?.value == "page")
    }
    try await shutDown()
    await #expect(throws: PromiseRefusalError.gateClosed) { try await answer(Request()) }
  }

  @Test("13.12 13.16 13.17 a limiter has limits for its queue")
  func queue() async throws {
    let service = Service()

    let limiter = PromiseLimiter(width: 8, maxPending: 100, maxWait: .seconds(2))

    func page(at url: String) async throws -> String {
      try await limiter.perform { try await service.page(at: url) }
    }

    #expect(try await page(at: "page") == "page!")
  }

  @Test("21.5 21.8 a breaker counts the calls with an answer in time")
  func breaker() async throws {
    let service = Service()
    let lines = Recorder<String>()
    @Sendable func log(_ line: String) { lines.record(line) }

    let breaker = PromiseCircuitBreaker(failureRate: 0.5, minimumCalls: 20, openDuration: .seconds(5))

    func page() async throws -> String {
      try await breaker.perform {
        try await withTimeout(.seconds(20)) { try await service.page() }
      }
    }

    #expect(try await page() == "page!")
    let strict = PromiseCircuitBreaker(isFailure: { ($0 as? LoadError)?.isTransient ?? true })
    await #expect(throws: LoadError.self) { try await strict.perform { throw LoadError(isTransient: false) } }
    let watch = Task {
      for await state in breaker.states { log("the breaker is \(state)") }
    }
    await until("the first state") { lines.entries == ["the breaker is closed"] }
    watch.cancel()
    await watch.value
  }

  @Test("21.9 21.12 calls take a token of all callers, or of their own")
  func rates() async throws {
    let service = Service()
    @Sendable func respond(to request: Request) async throws -> Response { Response() }
    do {
      let limiter = PromiseRateLimiter(100, per: .seconds(1), burst: 20, maxWait: .milliseconds(500))
      let page = try await limiter.perform { try await service.page() }
      #expect(page == "page!")
    }
    let limiter = PromiseKeyedRateLimiter<String>(10, per: .seconds(1), burst: 20)

    func answer(_ request: Request) async throws -> Response {
      try await limiter.perform(for: request.client) { try await respond(to: request) }
    }

    _ = try await answer(Request())
  }

  @Test("21.14 all callers of a policy share its budget")
  func budget() async throws {
    let service = Service()

    let budget = PromiseRetryBudget(ratio: 0.1, minimum: 10)

    var policy = PromiseRetryPolicy(attempts: 3, backoff: .exponential(.milliseconds(200)).jittered())
    policy.budget = budget

    #expect(try await withRetry(policy) { _ in try await service.page() } == "page!")
  }

  @Test("21.15 a fast attempt needs no second one")
  func hedging() async throws {
    let service = Service()
    @Sendable func fetchPage() -> Promise<String, any Error> { Promise(fulfilled: "page") }
    do {
      let page = try await withHedging(after: .milliseconds(300)) { _ in
        try await service.page()
      }
      #expect(page == "page!")
    }
    let page = Promise.hedge(after: .milliseconds(300), on: .utility) { _ in fetchPage() }

    #expect(await page.outcome()?.value == "page")
  }

  @Test("21.1 21.6 21.9 21.14 the parts nest in async code and in promises")
  func together() async throws {
    #expect(try await Pages().page(at: "1", for: "a") == "1!")
    #expect(await Answers().answer().outcome()?.value == "page")
  }
}

// MARK: - All parts

private let service = Service()

private struct Pages {
  let clients = PromiseKeyedRateLimiter<String>(20, per: .seconds(1), burst: 40)
  let cache = AsyncCache<String, String>(capacity: 1000, timeToLive: .seconds(60))
  let gate = PromiseGate()
  let upstream = PromiseRateLimiter(100, per: .seconds(1), maxWait: .milliseconds(500))
  let limiter = PromiseLimiter(width: 16, maxPending: 64, maxWait: .milliseconds(500))
  let breaker = PromiseCircuitBreaker()
  let policy: PromiseRetryPolicy<any Error>

  init() {
    var policy = PromiseRetryPolicy(attempts: 3, backoff: .exponential(.milliseconds(100)).jittered())
      .onlyIf { !($0 is PromiseRefusalError) }
    policy.budget = PromiseRetryBudget(ratio: 0.1, minimum: 10)
    self.policy = policy
  }

  func page(at url: String, for client: String) async throws -> String {
    try await clients.perform(for: client) {
      try await cache.value(for: url) { url in
        try await gate.perform { try await load(url) }
      }
    }
  }

  func load(_ url: String) async throws -> String {
    try await withTimeout(.seconds(30)) {
      try await withRetry(policy) { _ in
        try await upstream.perform {
          try await limiter.perform {
            try await breaker.perform {
              try await withTimeout(.seconds(10)) { try await service.page(at: url) }
            }
          }
        }
      }
    }
  }
}

private struct Answers {
  let gate = PromiseGate()
  let limiter = PromiseLimiter(width: 16)
  let breaker = PromiseCircuitBreaker()
  let policy = PromiseRetryPolicy()

  func fetchPage() -> Promise<String, any Error> { Promise(fulfilled: "page") }

  func answer() -> Promise<String, any Error> {
    gate.run {
      Promise.retry(policy, on: .utility) { _ in
        limiter.run(on: .utility) {
          breaker.run { fetchPage().timeout(.seconds(10)) }
        }
      }
      .timeout(.seconds(30))
    }
  }
}

// MARK: - Stand-ins

private struct LoadError: Error {
  var isTransient = true
}

private struct Request {
  var client = "a"
}

private struct Response {}
