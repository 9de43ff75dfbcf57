/// The code that people write by hand with tasks and actors, for the same operations as the rows of OvermorrowFlow.
enum HandWrittenRows {
  static func workload(for row: Row) -> Workload? {
    switch row {
    case .cc, .cf: awaitedHits
    case .cg: awaitedMisses
    case .ch: sharedMisses
    case .lb, .ld: turns
    case .sa: callsAtLimitedRate
    case .ta: timeouts
    default: nil
    }
  }

  private static func awaitedHits(_ count: Int) {
    let loads = TaskDictionary()
    OneThread().run {
      for _ in 0..<count / Row.cc.group {
        for key in 0..<Row.cc.group { blackHole((try? await loads.value(for: key) { $0 }) ?? 0) }
      }
    }
  }

  private static func awaitedMisses(_ count: Int) {
    let loads = TaskDictionary()
    let executor = OneThread()
    executor.replaceGlobalExecutor()
    executor.run {
      for key in 0..<count { blackHole((try? await loads.value(for: key) { $0 }) ?? 0) }
    }
  }

  private static func sharedMisses(_ count: Int) {
    let loads = TaskDictionary()
    let executor = OneThread()
    executor.replaceGlobalExecutor()
    SharedMisses.run(count, on: executor) { key, load in (try? await loads.value(for: key, load: load)) ?? 0 }
  }

  private static func turns(_ count: Int) {
    let semaphore = ActorSemaphore(room: 4)
    OneThread().run {
      for _ in 0..<count { blackHole((try? await semaphore.run { 1 }) ?? 0) }
    }
  }

  private static func callsAtLimitedRate(_ count: Int) {
    let bucket = ActorBucket(rate: 1_000_000_000)
    OneThread().run {
      for round in 0..<count {
        let value = try? await bucket.run { round }
        if round == 1 { expect(value == 1, .sa) }
        blackHole(value ?? 0)
      }
    }
  }

  private static func timeouts(_ count: Int) {
    OneThread().run {
      for round in 0..<count {
        let value = try? await withTimeout(.seconds(600)) { round }
        if round == 1 { expect(value == 1, .ta) }
        blackHole(value ?? 0)
      }
    }
  }
}

/// A cache that shares loads: a dictionary of tasks in an actor. No entry is ever removed, and no load is cancelled.
private actor TaskDictionary {
  private var tasks: [Int: Task<Int, any Error>] = [:]

  func value(for key: Int, load: @escaping @Sendable (Int) async throws -> Int) async throws -> Int {
    if let task = tasks[key] { return try await task.value }
    let task = Task { try await load(key) }
    tasks[key] = task
    return try await task.value
  }
}

/// A semaphore in an actor. A waiting task cannot be cancelled.
private actor ActorSemaphore {
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
private actor ActorBucket {
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

private struct TimedOut: Error {}

/// A timeout from a task group and `Task.sleep`.
private func withTimeout<Value: Sendable>(
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
