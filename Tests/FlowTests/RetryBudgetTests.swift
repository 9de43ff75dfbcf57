import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// A budget of retries that several callers share.
@Suite(.heavy) struct RetryBudgetTests {
  private let clock = TestClock()

  @Test("21.13 21.14 without successes, all retries together begin the minimum of further attempts")
  func minimum() async {
    let (budget, calls) = (PromiseRetryBudget(ratio: 0.5, minimum: 3, clock: clock), Counter())
    var policy = Policy(attempts: 3)
    policy.budget = budget
    for _ in 0..<5 {
      #expect(Subject.retry(policy, on: .immediate) { _ in calls.failedAttempt() }.result == .error(.first))
    }
    #expect(calls.count == 5 + 3)
    await #expect(throws: Refusal.first) {
      try await withRetry(policy) { _ throws(Refusal) in
        calls.increment()
        throw .first
      }
    }
    #expect(calls.count == 5 + 3 + 1)
  }

  @Test("21.13 21.14 each success of Promise.retry or withRetry adds its share of a retry")
  func successes() async throws {
    let budget = PromiseRetryBudget(ratio: 0.5, minimum: 0, clock: clock)
    var policy = Policy()
    policy.budget = budget
    #expect(!takeRetry(from: budget))
    _ = Subject.retry(policy, on: .immediate) { Subject(fulfilled: $0) }
    #expect(!takeRetry(from: budget), "half a retry")
    _ = try await withRetry(policy) { number throws(Refusal) in number }
    #expect([takeRetry(from: budget), takeRetry(from: budget)] == [true, false])
  }

  @Test("21.13 the text of a budget says how many retries pass", arguments: [0.07, 0.1, 0.29, 0.57])
  func text(ratio: Double) {
    let budget = PromiseRetryBudget(ratio: ratio, minimum: 2, clock: clock)
    for _ in 0..<100 { budget.recordSuccess() }
    let count = 2 + Int((100 * ratio).rounded())
    #expect("\(budget)".hasPrefix("PromiseRetryBudget(0 of \(count) retries used"))
    for number in 0...count { #expect(takeRetry(from: budget) == (number < count)) }
  }

  @Test("21.14 an error that is not retried takes nothing from the budget")
  func unaffected() {
    let budget = PromiseRetryBudget(minimum: 1, clock: clock)
    var policy = Policy(attempts: 2).onlyIf { $0 != .first }
    policy.budget = budget
    _ = Subject.retry(policy, on: .immediate) { _ in Subject(rejected: .first) }
    policy.deadline = .zero
    _ = Subject.retry(policy, on: .immediate) { _ in Subject(rejected: .second) }
    #expect([takeRetry(from: budget), takeRetry(from: budget)] == [true, false])
  }

  @Test("21.13 a budget allows exactly its share", arguments: [(29, 0.29), (55, 0.55), (7, 0.07), (200, 2)])
  func exactShare(retries: Int, ratio: Double) {
    let budget = PromiseRetryBudget(ratio: ratio, minimum: 0, clock: clock)
    for _ in 0..<100 { budget.recordSuccess() }
    #expect((0..<300).filter { _ in takeRetry(from: budget) }.count == retries)
  }

  @Test("21.13 a success with an infinite ratio allows any number of retries")
  func extremes() async throws {
    let found = try await diagnostics {
      let budget = PromiseRetryBudget(ratio: .infinity, minimum: 0)
      #expect(!takeRetry(from: budget))
      budget.recordSuccess()
      #expect((0..<1000).allSatisfy { _ in takeRetry(from: budget) })
      #expect(PromiseRetryBudget(ratio: .nan, minimum: 0).takeRetry() == nil)
      #expect(PromiseRetryBudget(ratio: .nan, minimum: .max).takeRetry() != nil)
    }
    #expect(
      found == [
        .invalidArgument("PromiseRetryBudget.ratio: inf counts as 1.7976931348623157e+308"),
        .invalidArgument("PromiseRetryBudget.ratio: nan counts as 0.0"),
        .invalidArgument("PromiseRetryBudget.ratio: nan counts as 0.0"),
      ])
  }

  @Test("21.13 invalid numbers and windows are replaced by the nearest valid ones, and reported")
  func invalid() async throws {
    let found = try await diagnostics { _ = PromiseRetryBudget(ratio: -1, minimum: -1, window: .seconds(-1)) }
    #expect(
      found == [
        .invalidArgument("PromiseRetryBudget.ratio: -1.0 counts as 0.0"),
        .invalidArgument("PromiseRetryBudget.minimum: -1 counts as 0"),
        .invalidArgument("PromiseRetryBudget.window: -1.0 seconds counts as 1e-08 seconds"),
      ])
  }

  @Test("21.13 a budget behaves as a model says, in random programs")
  func model() {
    var generator = SeededGenerator(seed: 24)
    for round in 0..<modelPrograms {
      let clock = TestClock()
      let ratio: Double = [0, 0.25, 0.5, 2].randomElement(using: &generator) ?? 0
      let minimum = Int.random(in: 0...3, using: &generator)
      let budget = PromiseRetryBudget(ratio: ratio, minimum: minimum, window: .seconds(10), clock: clock)
      // The model: all events with their times.
      var (successes, retries, now) = ([Int](), [Int](), 0)
      var unused: [(time: Int, retry: PromiseRetryBudget.Retry)] = []
      for _ in 0..<Int.random(in: 1...30, using: &generator) {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          budget.recordSuccess()
          successes.append(now)
        case 1:
          let share = ratio * Double(successes.filter { $0 > now - 10 }.count)
          let isAllowed = Double(retries.filter { $0 > now - 10 }.count + 1) <= Double(minimum) + share
          let retry = budget.takeRetry()
          #expect((retry != nil) == isAllowed, "round \(round): \(successes), \(retries) at \(now)")
          if (retry != nil) != isAllowed { return }
          guard let retry else { continue }
          retries.append(now)
          if Bool.random(using: &generator) { unused.append((now, retry)) } else { retry.use() }
        case 2:
          // Releases a retry unused.
          if let index = unused.indices.randomElement(using: &generator) {
            let time = unused.remove(at: index).time
            if let index = retries.firstIndex(of: time) { retries.remove(at: index) }
          }
        default:
          let time = Int.random(in: 1...12, using: &generator)
          clock.advance(by: .seconds(time))
          now += time
        }
      }
    }
  }

  @Test("21.13 racing retries take no more than the budget has")
  func races() async {
    let caller: @Sendable (Racing) -> Void = { round in
      for _ in 0..<3 where takeRetry(from: round.budget) { round.taken.increment() }
    }
    await race(
      rounds: 2000, { Racing() }, [caller, caller, caller],
      check: { $0.taken.count == 5 ? nil : "\($0.taken.count) retries" })
  }

  private struct Racing {
    let taken = Counter()
    let budget = PromiseRetryBudget(minimum: 5)
  }
}

/// Takes a retry from a budget and uses it. Returns `false` if the budget is used up.
private func takeRetry(from budget: PromiseRetryBudget) -> Bool {
  guard let retry = budget.takeRetry() else { return false }
  retry.use()
  return true
}
