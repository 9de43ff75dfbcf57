import Overmorrow
import OvermorrowFlow
import Testing

@Suite(.inTurn) struct RetryBackoffTests {
  /// Returns the delays of a backoff after the given attempts, with reproducible random numbers.
  private func delays(
    _ backoff: PromiseRetryBackoff, after attempts: some Sequence<Int> = 1...4, seed: UInt64 = 1
  ) -> [Duration] {
    var generator = SeededGenerator(seed: seed)
    return attempts.map { backoff.delay(after: $0, using: &generator) }
  }

  @Test(
    "6.5 6.8 a backoff has its named delays, and modifiers apply in their order",
    arguments: [
      // `.none` never waits; a constant backoff always waits for the same time.
      (.none, [0, 0, 0, 0]),
      (.constant(.seconds(3)), [3000, 3000, 3000, 3000]),
      // An exponential backoff multiplies exactly.
      (.exponential(.milliseconds(200)), [200, 400, 800, 1600]),
      (.exponential(.seconds(1), factor: 3), [1000, 3000, 9000, 27_000]),
      (.exponential(.seconds(8), factor: 0.5), [8000, 4000, 2000, 1000]),
      // A closure receives the number of the failed attempt.
      (PromiseRetryBackoff { .seconds($0 * 10) }, [10_000, 20_000, 30_000, 40_000]),
      // A cap limits the delay before it in the chain of modifiers.
      (.exponential(.seconds(1)).capped(at: .seconds(3)), [1000, 2000, 3000, 3000]),
      (.exponential(.seconds(1)).capped(at: .seconds(-1)), [0, 0, 0, 0]),
      (.constant(.seconds(10)).capped(at: .seconds(2)).jittered(3...3), [6000, 6000, 6000, 6000]),
      (.constant(.seconds(10)).jittered(3...3).capped(at: .seconds(2)), [2000, 2000, 2000, 2000]),
      // Negative delays, and delays too long to express, are clamped.
      (.constant(.seconds(-5)), [0, 0, 0, 0]),
      (.exponential(.seconds(-5)), [0, 0, 0, 0]),
      (.exponential(.zero, factor: .infinity), [0, 0, 0, 0]),
      (PromiseRetryBackoff { _ in .seconds(-5) }, [0, 0, 0, 0]),
      (.constant(.seconds(5)).jittered(0...0), [0, 0, 0, 0]),
      (.constant(.seconds(Int64.min)), [0, 0, 0, 0]),
    ] as [(PromiseRetryBackoff, [Int])])
  func delays(of backoff: PromiseRetryBackoff, milliseconds: [Int]) {
    #expect(delays(backoff) == milliseconds.map { .milliseconds($0) })
  }

  @Test("6.5 6.8 jitter stays in its range, varies, and repeats with the seed")
  func jitter() {
    let backoff = PromiseRetryBackoff.constant(.seconds(100)).jittered(0.5...1)
    let found = delays(backoff, after: 1...100, seed: 7)
    #expect(found.allSatisfy { (.seconds(50))...(.seconds(100)) ~= $0 })
    #expect(Set(found).count > 90)
    #expect(found == delays(backoff, after: 1...100, seed: 7))
    #expect(found != delays(backoff, after: 1...100, seed: 8))
    let full = delays(.constant(.seconds(100)).jittered(), after: 1...200)
    #expect(full.allSatisfy { (.zero)...(.seconds(100)) ~= $0 })
    #expect(full.contains { $0 < .seconds(20) } && full.contains { $0 > .seconds(80) })
  }

  @Test(
    "6.5 delays are limited to 3,000,000,000 seconds (95 years), whatever the numbers",
    arguments: [
      PromiseRetryBackoff.exponential(.seconds(1)), .exponential(.seconds(1), factor: .infinity),
      .exponential(.seconds(1), factor: .greatestFiniteMagnitude), .constant(.seconds(Int64.max)),
      .constant(.seconds(1)).jittered(1e300...(.infinity)), .constant(.seconds(1)).jittered(.infinity...(.infinity)),
    ])
  func limit(backoff: PromiseRetryBackoff) {
    #expect(Set(delays(backoff, after: [100, 100_000, .max])) == [.seconds(3_000_000_000)])
  }

  @Test("6.5 an attempt number below 1 counts as 1")
  func attemptNumber() {
    #expect(Set(delays(.exponential(.seconds(2)), after: [0, -1, .min])) == [.seconds(2)])
  }

  @Test("6.5 6.13 invalid factors and ranges are replaced, and the diagnostics report them")
  func invalid() async throws {
    let found = try await diagnostics {
      for factor in [Double.nan, -2] {
        #expect(delays(.exponential(.seconds(1), factor: factor), after: 1...2) == [.seconds(1), .seconds(1)])
      }
      #expect(delays(.constant(.seconds(1)).jittered(-3...(-2)), after: 1...2) == [.zero, .zero])
    }
    #expect(
      found == [
        .invalidArgument("PromiseRetryBackoff.exponential(factor:): nan counts as 1.0"),
        .invalidArgument("PromiseRetryBackoff.exponential(factor:): -2.0 counts as 1.0"),
        .invalidArgument("PromiseRetryBackoff.jittered(_:): -3.0...-2.0 counts as 0.0...0.0"),
      ])
  }
}
