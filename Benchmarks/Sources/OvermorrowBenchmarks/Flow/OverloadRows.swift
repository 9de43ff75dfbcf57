import Overmorrow
import OvermorrowFlow

/// The rows for gates, circuit breakers and limits by rate. No call is refused, and none waits.
enum OverloadRows {
  private typealias P = Promise<Int, any Error>

  static func workload(for row: Row) -> Workload? {
    switch row {
    case .ga: workOfGate
    case .gb: callsThroughGate
    case .ba: callsThroughBreaker
    case .bd: workOfBreaker
    case .sa: callsAtLimitedRate
    case .sb: callsAtRateOfKey
    case .sc: workAtLimitedRate
    default: nil
    }
  }

  private static func workOfGate(_ count: Int) {
    let gate = PromiseGate()
    for round in 0..<count {
      let promise = gate.run { P(fulfilled: round) }
      if round == 1 { expect(promise.result?.value == 1, .ga) }
      blackHole(promise)
    }
  }

  private static func callsThroughGate(_ count: Int) {
    let gate = PromiseGate()
    OneThread().run {
      for round in 0..<count {
        let value = try? await gate.perform { round }
        if round == 1 { expect(value == 1, .gb) }
        blackHole(value ?? 0)
      }
    }
  }

  private static func callsThroughBreaker(_ count: Int) {
    let breaker = PromiseCircuitBreaker()
    OneThread().run {
      for round in 0..<count {
        let value = try? await breaker.perform { round }
        if round == 1 { expect(value == 1, .ba) }
        blackHole(value ?? 0)
      }
    }
  }

  private static func callsAtLimitedRate(_ count: Int) {
    let limiter = PromiseRateLimiter(1_000_000_000, per: .seconds(1))
    OneThread().run {
      for round in 0..<count {
        let value = try? await limiter.perform { round }
        if round == 1 { expect(value == 1, .sa) }
        blackHole(value ?? 0)
      }
    }
  }

  private static func workOfBreaker(_ count: Int) {
    let breaker = PromiseCircuitBreaker()
    for round in 0..<count {
      let promise = breaker.run { P(fulfilled: round) }
      if round == 1 { expect(promise.result?.value == 1, .bd) }
      blackHole(promise)
    }
  }

  private static func callsAtRateOfKey(_ count: Int) {
    let limiter = PromiseKeyedRateLimiter<Int>(1_000_000_000, per: .seconds(1))
    OneThread().run {
      for round in 0..<count / Row.sb.group {
        for key in 0..<Row.sb.group {
          let value = try? await limiter.perform(for: key) { key }
          if round == 1 { expect(value == key, .sb) }
          blackHole(value ?? 0)
        }
      }
    }
  }

  private static func workAtLimitedRate(_ count: Int) {
    let limiter = PromiseRateLimiter(1_000_000_000, per: .seconds(1))
    for round in 0..<count {
      let promise = limiter.run(on: .immediate) { P(fulfilled: round) }
      if round == 1 { expect(promise.result?.value == 1, .sc) }
      blackHole(promise)
    }
  }
}
