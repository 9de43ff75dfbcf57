import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

@Suite(.inTurn) struct RetryPolicyTests {
  private typealias Policy = PromiseRetryPolicy<Busy>

  /// An error that may be transient, and may advise a delay.
  private struct Busy: Sendable {
    var isTransient = true
    var advice: Duration?
  }

  private func pause(
    _ policy: Policy, after attempt: Int = 1, _ error: Busy = Busy(), elapsed: Duration = .zero
  ) -> Duration? {
    var generator = SeededGenerator(seed: 1)
    return policy.delay(after: attempt, error, elapsed: { elapsed }, using: &generator)?.delay
  }

  @Test("6.5 6.6 a policy limits all attempts, to three without a delay by default")
  func attempts() {
    #expect((1...3).map { pause(Policy(), after: $0) } == [.zero, .zero, nil])
    #expect(pause(Policy(attempts: 1)) == nil)
    #expect(pause(Policy(attempts: .max), after: .max - 1) == .zero)
  }

  @Test("6.5 6.6 6.13 attempts below 1 count as 1, and the diagnostics report it")
  func fewerThanOne() async throws {
    let found = try await diagnostics {
      var policy = Policy(attempts: 0)
      #expect(policy.attempts == 1)
      policy.attempts = .min
      #expect(policy.attempts == 1)
      policy.attempts = 2
      #expect(policy.attempts == 2)
    }
    #expect(found == [0, Int.min].map { .invalidArgument("PromiseRetryPolicy.attempts: \($0) counts as 1") })
  }

  @Test("6.5 all conditions must hold, and evaluation stops at the first one that does not")
  func conditions() {
    let asked = Recorder<Int>()
    @Sendable func ask(_ number: Int, _ answer: Bool) -> Bool {
      asked.record(number)
      return answer
    }
    let policy = Policy().onlyIf { ask(1, $0.isTransient) }.onlyIf { _ in ask(2, false) }
    #expect(pause(policy) == nil)
    #expect(asked.entries == [1, 2])
    #expect(pause(policy, Busy(isTransient: false)) == nil)
    #expect(asked.entries == [1, 2, 1])
    #expect(pause(policy, after: 3) == nil)
    #expect(asked.entries == [1, 2, 1], "nobody is asked when there are no attempts left")
    #expect(pause(Policy().onlyIf(\.isTransient)) == .zero)
  }

  @Test("6.5 6.9 the first known retry-after replaces the backoff, otherwise the backoff applies")
  func retryAfter() {
    let backoff = PromiseRetryBackoff.constant(.seconds(2)).jittered(0.5...0.5).capped(at: .seconds(3))
    let policy = Policy(backoff: backoff).retryAfter(\.advice)
    #expect(pause(policy, Busy(advice: .seconds(60))) == .seconds(60))
    #expect(pause(policy, Busy(advice: .zero)) == .zero)
    #expect(pause(policy) == .seconds(1))
    let several = policy.retryAfter { _ in .seconds(5) }
    #expect(pause(several, Busy(advice: .seconds(60))) == .seconds(60))
    #expect(pause(several) == .seconds(5))
  }

  @Test("6.5 6.10 no delay begins that would end at the deadline or later")
  func deadline() {
    let policy = Policy(backoff: .constant(.seconds(2)), deadline: .seconds(10)).retryAfter(\.advice)
    #expect(pause(policy, elapsed: .seconds(7)) == .seconds(2))
    #expect(pause(policy, elapsed: .seconds(8)) == nil)
    #expect(pause(policy, Busy(advice: .seconds(20))) == nil)
    #expect(pause(policy, Busy(advice: .seconds(Int64.max))) == nil)
    #expect(pause(policy, Busy(advice: .seconds(Int64.min)), elapsed: .seconds(9)) != nil)
    #expect(pause(Policy(deadline: .seconds(Int64.max)), Busy(), elapsed: .seconds(9)) == .zero)
  }

  @Test(
    "6.5 6.19 a deadline of zero or less allows a single attempt",
    arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min), Duration(attoseconds: .min)])
  func noTime(deadline: Duration) {
    for elapsed in [Duration.zero, .seconds(9), .seconds(Int64.max), Duration(attoseconds: .min)] {
      #expect(pause(Policy(deadline: deadline), elapsed: elapsed) == nil)
    }
  }

  @Test("6.19 the longest deadline and the most extreme delays do not overflow")
  func strangeTimes() {
    let (least, most) = (Duration(attoseconds: .min), Duration(attoseconds: .max))
    #expect(pause(Policy(backoff: .constant(least), deadline: most)) == .zero)
    #expect(pause(Policy(backoff: .constant(most), deadline: most)) == nil)
    #expect(pause(Policy(backoff: .exponential(most).capped(at: most), deadline: .seconds(1))) == nil)
    #expect(pause(Policy(backoff: .exponential(least).capped(at: least), deadline: .seconds(1))) == .zero)
    #expect(pause(Policy(deadline: most).retryAfter(\.advice), Busy(advice: least)) == least)
  }

  @Test("6.5 a policy is a value: modifying a copy leaves the original unchanged")
  func value() {
    let original = Policy(backoff: .constant(.seconds(2)))
    var changed = original.onlyIf { _ in false }
    changed.backoff = .none
    changed.deadline = .zero
    #expect(pause(original) == .seconds(2))
    #expect(original.deadline == nil)
    #expect(pause(changed) == nil)
  }
}
