/// A cache that shares loads: a dictionary of tasks in an actor. No entry is ever removed, and no load is cancelled.
actor TaskDictionary {
  private var tasks: [Int: Task<Int, any Error>] = [:]

  func value(for key: Int, load: @escaping @Sendable (Int) async throws -> Int) async throws -> Int {
    if let task = tasks[key] { return try await task.value }
    let task = Task { try await load(key) }
    tasks[key] = task
    return try await task.value
  }
}

/// A semaphore in an actor. A waiting task cannot be cancelled.
actor ActorSemaphore {
  private var room: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(room: Int) { self.room = room }

  func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    if room > 0 { room -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
    defer { if waiting.isEmpty { room += 1 } else { waiting.removeFirst().resume() } }
    return try await body()
  }
}

/// A limit by rate: a bucket of tokens in an actor. A call without a token sleeps until the next token, and competes with
/// the others for it.
actor ActorBucket {
  private let rate: Double
  private var tokens: Double
  private var latest = ContinuousClock.now

  /// - Parameter rate: The number of tokens in each second, and in the full bucket.
  init(rate: Double) {
    self.rate = rate
    tokens = rate
  }

  func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    while true {
      let now = ContinuousClock.now
      tokens = min(tokens + latest.duration(to: now) / .seconds(1) * rate, rate)
      latest = now
      if tokens >= 1 { break }
      try await Task.sleep(for: .seconds((1 - tokens) / rate))
    }
    tokens -= 1
    return try await body()
  }
}

/// A limit by rate for each key: a dictionary of the levels of buckets in an actor, from which nothing is ever removed. A
/// call without a token sleeps until the next token, and competes with the others for it.
actor ActorBuckets {
  private let rate: Double
  private var levels: [Int: (tokens: Double, latest: ContinuousClock.Instant)] = [:]

  /// - Parameter rate: The number of tokens in each second, and in a full bucket.
  init(rate: Double) { self.rate = rate }

  func run<Value: Sendable>(for key: Int, _ body: @Sendable () async throws -> Value) async throws -> Value {
    while true {
      let now = ContinuousClock.now
      var (tokens, latest) = levels[key] ?? (rate, now)
      tokens = min(tokens + latest.duration(to: now) / .seconds(1) * rate, rate)
      levels[key] = (tokens >= 1 ? tokens - 1 : tokens, now)
      if tokens >= 1 { break }
      try await Task.sleep(for: .seconds((1 - tokens) / rate))
    }
    return try await body()
  }
}

/// A circuit breaker in an actor. It opens after a number of failures in a row, and admits all calls after five seconds.
actor ActorBreaker {
  private let limit: Int
  private var failures = 0
  private var openUntil: ContinuousClock.Instant?

  /// - Parameter failures: The number of failures in a row that open the breaker.
  init(failures: Int) { limit = failures }

  func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    if let openUntil, ContinuousClock.now < openUntil { throw Open() }
    do {
      let value = try await body()
      (failures, openUntil) = (0, nil)
      return value
    } catch {
      failures += 1
      if failures >= limit { openUntil = .now + .seconds(5) }
      throw error
    }
  }

  private struct Open: Error {}
}

/// A retry: a loop that ends with the first success.
nonisolated(nonsending) func withRetryByHand<Value>(
  attempts: Int, _ body: nonisolated(nonsending) () async throws -> Value
) async throws -> Value {
  for _ in 1..<attempts {
    do {
      return try await body()
    } catch is CancellationError {
      throw CancellationError()
    } catch {}
  }
  return try await body()
}

private struct TimedOut: Error {}

/// A timeout from a task group and `Task.sleep`.
func withTimeoutByHand<Value: Sendable>(
  _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    group.addTask { try await body() }
    group.addTask {
      try await Task.sleep(for: limit)
      throw TimedOut()
    }
    defer { group.cancelAll() }
    guard let value = try await group.next() else { throw TimedOut() }
    return value
  }
}
