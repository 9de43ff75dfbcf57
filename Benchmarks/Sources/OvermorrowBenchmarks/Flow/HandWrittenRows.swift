/// The code that people write by hand with tasks and actors, for the same operations as the rows of OvermorrowFlow.
enum HandWrittenRows {
  static func workload(for row: Row) -> Workload? {
    switch row {
    case .cc, .cf: awaitedHits
    case .cg: awaitedMisses
    case .ch: sharedMisses
    case .bb, .bc: HandWrittenBatches.workload(for: row)
    case .lb, .ld: turns
    case .ba: callsThroughBreaker
    case .rb: retries
    case .sa: callsAtLimitedRate
    case .sb: callsAtRateOfKey
    case .ta, .tb: timeouts
    case .st: stack
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

  private static func callsAtRateOfKey(_ count: Int) {
    let buckets = ActorBuckets(rate: 1_000_000_000)
    OneThread().run {
      for round in 0..<count / Row.sb.group {
        for key in 0..<Row.sb.group {
          let value = try? await buckets.run(for: key) { key }
          if round == 1 { expect(value == key, .sb) }
          blackHole(value ?? 0)
        }
      }
    }
  }

  private static func callsThroughBreaker(_ count: Int) {
    let breaker = ActorBreaker(failures: 20)
    OneThread().run {
      for round in 0..<count {
        let value = try? await breaker.run { round }
        if round == 1 { expect(value == 1, .ba) }
        blackHole(value ?? 0)
      }
    }
  }

  private static func retries(_ count: Int) {
    OneThread().run {
      for round in 0..<count {
        let value = try? await withRetryByHand(attempts: 3) { round }
        if round == 1 { expect(value == 1, .rb) }
        blackHole(value ?? 0)
      }
    }
  }

  private static func timeouts(_ count: Int) {
    OneThread().run {
      for round in 0..<count {
        let value = try? await withTimeoutByHand(.seconds(600)) { round }
        if round == 1 { expect(value == 1, .ta) }
        blackHole(value ?? 0)
      }
    }
  }

  private static func stack(_ count: Int) {
    let loads = TaskDictionary()
    let semaphore = ActorSemaphore(room: 4)
    let executor = OneThread()
    executor.replaceGlobalExecutor()
    executor.run {
      for key in 0..<count {
        let value = try? await loads.value(for: key) { key in
          try await semaphore.run {
            try await withRetryByHand(attempts: 3) {
              try await withTimeoutByHand(.seconds(600)) { key }
            }
          }
        }
        if key == 1 { expect(value == 1, .st) }
        blackHole(value ?? 0)
      }
    }
  }
}
