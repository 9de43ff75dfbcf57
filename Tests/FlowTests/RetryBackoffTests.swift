import Overmorrow
import Testing

@Suite(.inTurn) struct RetryBackoffTests {
  /// The first delays of a backoff, with random numbers that are the same each time.
  private func delays(_ backoff: PromiseRetryBackoff, _ count: Int = 4, seed: UInt64 = 1) -> [Duration] {
    var generator = SeededGenerator(seed: seed)
    return (1...count).map { backoff.delay(after: $0, using: &generator) }
  }

  @Test("6.5 6.8 no backoff waits never, a constant one always as long")
  func constant() {
    #expect(delays(.none) == [.zero, .zero, .zero, .zero])
    #expect(delays(.constant(.seconds(3)), 2) == [.seconds(3), .seconds(3)])
  }

  @Test("6.5 6.8 an exponential backoff multiplies exactly")
  func exponential() {
    let expected = [200, 400, 800, 1600].map { Duration.milliseconds($0) }
    #expect(delays(.exponential(.milliseconds(200))) == expected)
    #expect(delays(.exponential(.seconds(1), factor: 3)) == [1, 3, 9, 27].map { Duration.seconds($0) })
    #expect(delays(.exponential(.seconds(8), factor: 0.5)) == [8, 4, 2, 1].map { Duration.seconds($0) })
  }

  @Test("6.5 a backoff of a closure gets the number of the attempt that has failed")
  func custom() {
    #expect(delays(PromiseRetryBackoff { .seconds($0 * 10) }, 3) == [.seconds(10), .seconds(20), .seconds(30)])
  }

  @Test("6.5 6.8 a cap limits what comes before it")
  func cap() {
    let backoff = PromiseRetryBackoff.exponential(.seconds(1)).capped(at: .seconds(3))
    #expect(delays(backoff) == [.seconds(1), .seconds(2), .seconds(3), .seconds(3)])
    #expect(delays(backoff.capped(at: .seconds(-1))) == [.zero, .zero, .zero, .zero])
  }

  @Test("6.5 6.8 jitter stays in its range, differs from delay to delay, and repeats with the seed")
  func jitter() {
    let backoff = PromiseRetryBackoff.constant(.seconds(100)).jittered(0.5...1)
    let found = delays(backoff, 100, seed: 7)
    #expect(found.allSatisfy { (.seconds(50))...(.seconds(100)) ~= $0 })
    #expect(Set(found).count > 90)
    #expect(found == delays(backoff, 100, seed: 7))
    #expect(found != delays(backoff, 100, seed: 8))
    let full = delays(PromiseRetryBackoff.constant(.seconds(100)).jittered(), 200)
    #expect(full.allSatisfy { (.zero)...(.seconds(100)) ~= $0 })
    #expect(full.contains { $0 < .seconds(20) } && full.contains { $0 > .seconds(80) })
  }

  @Test("6.5 changes apply in the order in which they were asked for")
  func order() {
    let base = PromiseRetryBackoff.constant(.seconds(10))
    #expect(delays(base.capped(at: .seconds(2)).jittered(3...3), 1) == [.seconds(6)])
    #expect(delays(base.jittered(3...3).capped(at: .seconds(2)), 1) == [.seconds(2)])
  }

  @Test(
    "6.5 delays that are negative, or too long to be expressed, are survived",
    arguments: [
      PromiseRetryBackoff.constant(.seconds(-5)), .exponential(.seconds(-5)), .exponential(.zero, factor: .infinity),
      PromiseRetryBackoff { _ in .seconds(-5) }, .constant(.seconds(5)).jittered(0...0), .constant(.seconds(Int64.min)),
    ])
  func nothing(backoff: PromiseRetryBackoff) { #expect(delays(backoff) == [.zero, .zero, .zero, .zero]) }

  @Test(
    "6.5 no delay is longer than centuries, whatever the numbers",
    arguments: [
      PromiseRetryBackoff.exponential(.seconds(1)), .exponential(.seconds(1), factor: .infinity),
      .exponential(.seconds(1), factor: .greatestFiniteMagnitude), .constant(.seconds(Int64.max)),
      .constant(.seconds(1)).jittered(1e300...(.infinity)), .constant(.seconds(1)).jittered(.infinity...(.infinity)),
    ])
  func centuries(backoff: PromiseRetryBackoff) {
    var generator = SeededGenerator(seed: 3)
    for attempt in [100, 100_000, .max] {
      #expect(backoff.delay(after: attempt, using: &generator) == .seconds(3_000_000_000))
    }
  }

  @Test("6.5 an attempt number below 1 counts as 1")
  func attemptNumber() {
    var generator = SeededGenerator(seed: 3)
    for attempt in [0, -1, .min] {
      #expect(PromiseRetryBackoff.exponential(.seconds(2)).delay(after: attempt, using: &generator) == .seconds(2))
    }
  }

  @Test("6.5 6.13 factors and ranges that make no sense are replaced, and the diagnostics name them")
  func invalid() async throws {
    let found = try await diagnostics {
      for factor in [Double.nan, -2] {
        #expect(delays(.exponential(.seconds(1), factor: factor), 2) == [.seconds(1), .seconds(1)])
      }
      #expect(delays(.constant(.seconds(1)).jittered(-3...(-2)), 2) == [.zero, .zero])
    }
    #expect(
      found == [
        .invalidArgument("PromiseRetryBackoff.exponential(factor:): nan counts as 1.0"),
        .invalidArgument("PromiseRetryBackoff.exponential(factor:): -2.0 counts as 1.0"),
        .invalidArgument("PromiseRetryBackoff.jittered(_:): -3.0...-2.0 counts as 0.0...0.0"),
      ])
  }
}
