import Overmorrow
import Synchronization
import TestSupport
import Testing

@testable import GalleryKit

@Suite(.timeLimit(.minutes(1))) struct RetryPolicyTests {
  private let clock = ManualClock()
  private let attempts = Recorder<Int>()
  private let warnings = Recorder<String>()

  /// Runs attempts whose results are given, the last one again and again.
  private func run(
    _ results: [PromiseResult<Int, Flaw>], policy: GalleryKit.RetryPolicy = GalleryKit.RetryPolicy(attempts: 3)
  ) -> Promise<Int, Flaw> {
    policy.run(
      on: .immediate,
      clock: clock,
      isWorthwhile: { $0 != "hopeless" },
      willRetry: { [warnings] in warnings.record("\($0): \($1)") },
      attempt: { [attempts] in
        let number = attempts.elements.count
        attempts.record(number)
        return Promise(with: results[min(number, results.count - 1)])
      })
  }

  @Test func `a success comes through at once, without a pause`() {
    #expect(run([.value(1)]).result == .value(1))
    #expect(attempts.elements.count == 1)
  }

  @Test func `a failure is tried again until it succeeds`() async {
    clock.runOut()
    #expect(await run([.error("a"), .error("b"), .value(3)]).finished() == .value(3))
    #expect(warnings.elements == ["1: a", "2: b"])
  }

  @Test func `the last failure counts when there are no attempts left`() async {
    clock.runOut()
    #expect(await run([.error("a"), .error("b"), .error("c"), .value(4)]).finished() == .error("c"))
    #expect(attempts.elements.count == 3)
  }

  @Test func `a failure that will not go away, and a cancellation, are not tried again`() {
    #expect(run([.error("hopeless"), .value(2)]).result == .error("hopeless"))
    #expect(run([.cancelled]).result == .cancelled)
    #expect(warnings.elements.isEmpty)
  }

  @Test func `a request to cancel ends a pause at once`() async {
    let promise = run([.error("a"), .value(2)])
    await clock.untilSomebodySleeps()
    promise.requestCancel()
    #expect(await promise.finished() == .cancelled)
    #expect(attempts.elements.count == 1)
  }
}
