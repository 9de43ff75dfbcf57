import OvermorrowFlow

/// A value that is not `Sendable`, whatever the default isolation.
nonisolated final class History {
  var entries: [String] = []
}

struct Offline: Error {}

/// The parts that the callers share.
nonisolated struct Parts: Sendable {
  let limiter = PromiseLimiter(width: 1)
  let gate = PromiseGate()
  let breaker = PromiseCircuitBreaker()
  let rate = PromiseRateLimiter(1000, per: .seconds(1))
  let rates = PromiseKeyedRateLimiter<String>(1000, per: .seconds(1))
  let cache = AsyncCache<String, String>()
  let policy = PromiseRetryPolicy(attempts: 3, backoff: .constant(.zero))
}

/// Functions with the default isolation of the module.
func callEachPart(_ parts: Parts, _ history: History) async throws {
  var count = 0
  let turn = try await parts.limiter.perform {
    count += 1
    history.entries.append("turn")
    return history
  }
  let retried = try await withRetry(parts.policy) { number in
    turn.entries.append("attempt \(number)")
    if number < 3 { throw Offline() }
    return turn
  }
  let inTime = try await withTimeout(.seconds(60)) {
    count += 1
    retried.entries.append("in time")
    return retried
  }
  let admitted = try await parts.gate.perform {
    inTime.entries.append("gate")
    return inTime
  }
  let unbroken = try await parts.breaker.perform {
    admitted.entries.append("breaker")
    return admitted
  }
  let limited = try await parts.rate.perform {
    unbroken.entries.append("rate")
    return unbroken
  }
  let same = try await parts.rates.perform(for: "client") {
    count += 1
    limited.entries.append("rate of a client")
    return limited
  }
  let hedged = try await withHedging(after: .seconds(60)) { number in "hedge \(number)" }
  let cached = try await parts.cache.value(for: "key") { key in "value of \(key)" }
  print(same === history, count, same.entries, hedged, cached)
}

/// The parts nest, and each closure uses the same value.
func nest(_ parts: Parts, _ history: History) async throws -> History {
  try await parts.gate.perform {
    try await parts.rates.perform(for: "client") {
      try await withTimeout(.seconds(60)) {
        try await withRetry(parts.policy) { number in
          try await parts.limiter.perform {
            try await parts.breaker.perform {
              try await withTimeout(.seconds(60)) {
                history.entries.append("nested \(number)")
                if number < 2 { throw Offline() }
                return history
              }
            }
          }
        }
      }
    }
  }
}

/// A class that belongs to the main actor, as the models of apps do.
@MainActor
final class Model {
  private let history = History()
  private let parts: Parts
  private var title = ""

  init(_ parts: Parts) { self.parts = parts }

  func load() async throws {
    title = try await parts.limiter.perform {
      history.entries.append("turn")
      return try await withRetry(parts.policy) { number in
        title = "attempt \(number)"
        if number < 2 { throw Offline() }
        return try await withTimeout(.seconds(60)) {
          history.entries.append(title)
          return "loaded"
        }
      }
    }
    let hedged = try await withHedging(after: .seconds(60)) { number in
      self.title += " by hedge \(number)"
      return self.title
    }
    let cached = try await parts.cache.value(for: "title") { _ in self.title }
    print("model:", history.entries, title, hedged, cached)
  }
}

actor Store {
  private let history = History()
  private let parts: Parts

  init(_ parts: Parts) { self.parts = parts }

  func load() async throws {
    let same = try await parts.limiter.perform {
      try await parts.gate.perform {
        try await parts.breaker.perform {
          history.entries.append("breaker")
          return history
        }
      }
    }
    let hedged = try await withHedging(after: .seconds(60)) { number in
      self.note("hedge \(number)")
      return number
    }
    print("actor:", same === history, same.entries, hedged)
  }

  private func note(_ text: String) { history.entries.append(text) }
}

/// A function that runs on no actor, whatever the default isolation.
@concurrent nonisolated func callConcurrently(_ parts: Parts) async throws -> Int {
  let history = History()
  let same = try await parts.limiter.perform { try await withTimeout(.seconds(60)) { history } }
  try await withRetry(parts.policy) { _ in same.entries.append("concurrent") }
  return same.entries.count
}

@main struct Client {
  static func main() async throws {
    let parts = Parts()
    try await callEachPart(parts, History())
    print("nested:", try await nest(parts, History()).entries)
    try await Model(parts).load()
    try await Store(parts).load()
    print("concurrent:", try await callConcurrently(parts))
    do {
      try await withTimeout(.zero) {}
    } catch AsyncTimeoutError.timedOut {
      print("timed out")
    }
    try await parts.gate.close()
    print("closed:", parts.gate.isClosed)
    do {
      try await parts.gate.perform {}
    } catch PromiseRefusalError.gateClosed {
      print("refused")
    }
  }
}
