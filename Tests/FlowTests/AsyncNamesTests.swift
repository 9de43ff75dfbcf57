import OvermorrowFlow
import Testing

/// The names for code that is all async. This file imports no other module of the library.
@Suite(.inTurn) struct AsyncNamesTests {
  private struct Outage: Error {}

  @Test("20.10 all-async code names the parts without a failure type and catches their errors")
  func names() async throws {
    struct Service {
      let pages = AsyncCache<String, Int>(capacity: 10)
      let attempts: AsyncRetryPolicy
    }
    let service = Service(attempts: PromiseRetryPolicy(attempts: 2, backoff: .constant(.zero)))
    var calls = 0
    await #expect(throws: Outage.self) {
      try await withRetry(service.attempts) { _ in
        calls += 1
        throw Outage()
      }
    }
    #expect(calls == 2)
    let length = try await service.pages.value(for: "one") { $0.count }
    #expect(length == 3)
    do {
      try await withTimeout(.zero) {}
      Issue.record("a call without time has not timed out")
    } catch AsyncTimeoutError.timedOut {
      #expect(AsyncTimeoutError.self == PromiseTimeoutError<any Error>.self)
    }
  }

  @Test("20.10 a policy has the failure of its closure, or else any error")
  func inference() async {
    let policy = PromiseRetryPolicy(attempts: 2).onlyIf { $0 is Outage }
    let typed: PromiseRetryPolicy<Outage> = PromiseRetryPolicy(attempts: 5)
    #expect(type(of: policy) == AsyncRetryPolicy.self)
    #expect((policy.attempts, typed.attempts) == (2, 5))
    var calls = 0
    await #expect(throws: Outage.self) {
      try await withRetry(PromiseRetryPolicy(attempts: 4)) { _ throws(Outage) in
        calls += 1
        throw Outage()
      }
    }
    #expect(calls == 4)
  }
}
