import Overmorrow
import OvermorrowFlow
import OvermorrowTesting
import Testing

/// The samples of the guide `Retry.md` and of the comments on retries. `FlowTests` covers the other statements.
@Suite(.inTurn) struct RetryGuideTests {
  @Test("6.5 8.12 attempts, even async ones, are repeated until one succeeds")
  func again() async {
    let calls = Counter()
    @Sendable func fetchPage() -> Promise<String, any Error> {
      calls.increment() < 3 ? Promise(rejected: LoadError(isTransient: true)) : Promise(fulfilled: "page")
    }

    let policy = PromiseRetryPolicy(attempts: 4, backoff: .exponential(.milliseconds(200)))
    let page = Promise.retry(policy, on: .utility) { _ in fetchPage() }

    #expect(await page.outcome()?.value == "page")
    #expect(calls.count == 3)

    let service = Service()
    @Sendable func download() async throws -> String {
      if calls.increment() < 6 { throw Refusal.first }
      return "page"
    }

    let text = Promise.retry(policy) { _ in try await download() }

    #expect(await text.outcome()?.value == "page")
    #expect(calls.count == 6)
    do {
      let page = Promise.retry(PromiseRetryPolicy(attempts: 4)) { _ in
        try await service.page()
      }
      #expect(await page.outcome()?.value == "page!")
    }
  }

  @Test("6.5 an exponential backoff stays within its cap and its jitter")
  func backoff() {
    let backoff = PromiseRetryBackoff.exponential(.milliseconds(200)).capped(at: .seconds(10)).jittered(0.5...1)

    var generator = SeededGenerator(seed: 1)
    #expect((.milliseconds(100))...(.milliseconds(200)) ~= backoff.delay(after: 1, using: &generator))
    #expect((.seconds(5))...(.seconds(10)) ~= backoff.delay(after: 50, using: &generator))
  }

  @Test("6.5 a policy applies its condition, the server's advice and its deadline")
  func policy() async throws {
    let policy = PromiseRetryPolicy<LoadError>(attempts: 5, backoff: .exponential(.seconds(1)), deadline: .seconds(30))
      .onlyIf { $0.isTransient }
      .retryAfter { $0.serverAdvice }

    let (clock, generator, calls) = (TestClock(), SeededGenerator(seed: 1), Counter())
    @Sendable func load() -> Promise<String, LoadError> {
      switch calls.increment() {
      case 1: Promise(rejected: LoadError(isTransient: true, serverAdvice: .seconds(7)))
      case 2: Promise(rejected: LoadError(isTransient: true, serverAdvice: .seconds(60)))
      case 3: Promise(rejected: LoadError(isTransient: false))
      default: Promise(fulfilled: "page")
      }
    }

    let tested = Promise.retry(policy, on: .immediate, clock: clock, generator: generator) { _ in load() }

    let error = try await clock.run { await tested.outcome()?.error }
    #expect(error?.serverAdvice == .seconds(60))
    #expect((calls.count, clock.now.offset) == (2, .seconds(7)))

    let quick = Promise.retry(policy, on: .utility) { _ in
      load().timeout(.seconds(5)).mapError { LoadError($0) }
    }

    #expect(await quick.outcome()?.error?.isTransient == false)
  }

  @Test("6.20 a retry polls until a value is right")
  func polling() async {
    @Sendable func fetchExport() -> Promise<Export, any Error> { Promise(fulfilled: Export(isReady: true)) }

    let polls = PromiseRetryPolicy(attempts: .max, backoff: .constant(.seconds(2)), deadline: .seconds(60))
    let export = Promise.retry(polls, on: .utility) { _ in
      fetchExport()
    } until: {
      $0.isReady
    }

    #expect(await export.outcome()?.value?.isReady == true)
  }
}

// MARK: - Stand-ins

private struct Export: Sendable {
  var isReady: Bool
}

private struct LoadError: Error {
  var isTransient: Bool
  var serverAdvice: Duration?
}

extension LoadError {
  fileprivate init(_ error: PromiseTimeoutError<LoadError>) {
    switch error {
    case .timedOut: self.init(isTransient: true)
    case .rejected(let error): self = error
    }
  }
}
