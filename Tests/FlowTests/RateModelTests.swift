import OvermorrowFlow
import Testing

@testable import Overmorrow

/// Random programs of rate limiters, with and without keys.
@Suite(.heavy) struct RateModelTests {
  @Test("21.9 21.10 21.11 a rate limiter behaves as a model says, in random programs")
  func model() { run(seed: 23, keys: 1) }

  @Test("21.9 21.11 21.12 a rate limiter with keys behaves as a model says, in random programs")
  func keys() { run(seed: 25, keys: 5) }

  private func run(seed: UInt64, keys: Int) {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<modelPrograms {
      var program = RateProgram(keys: keys, using: &generator)
      for _ in 0..<Int.random(in: 1...30, using: &generator) {
        program.step(using: &generator)
        guard let fault = program.fault else { continue }
        Issue.record("round \(round): \(program.log.joined(separator: ", ")): \(fault)")
        return
      }
    }
  }
}

/// A random program of a rate limiter, and its model: a bucket with a level for each key. One token is four units, and
/// the level rises by one unit in each unit of time.
private struct RateProgram {
  private typealias Work = Promise<Int, any Error>

  private enum Limiter {
    case plain(PromiseRateLimiter)
    case keyed(PromiseKeyedRateLimiter<Int>)

    func run(for key: Int, _ work: @escaping @Sendable () -> Work) -> Work {
      switch self {
      case .plain(let limiter): limiter.run(on: .immediate, work)
      case .keyed(let limiter): limiter.run(for: key, on: .immediate, work)
      }
    }
  }

  private struct Bucket {
    var level: Int
    /// The bucket's number among all buckets. A removed bucket is followed by one with another number.
    let number: Int
    /// The time of the latest change, in steps.
    var used = 0
  }

  private struct Call {
    let promise: Work
    let key: Int
    let bucket: Int
    /// The time at which the work begins, or `nil` if the call is refused.
    let time: Int?
    var isCancelled = false
    var isReturned = false
  }

  private let clock = TestClock()
  private let limiter: Limiter
  private let keys: Int
  private let maxKeys: Int
  private let full: Int
  private let maxWait: Int
  private var buckets: [Int: Bucket] = [:]
  private var bucketCount = 0
  private var steps = 0
  private var now = 0
  private var calls: [Call] = []
  private let begun = Counter()
  private(set) var log: [String] = []

  init(keys: Int, using generator: inout SeededGenerator) {
    let burst = Int.random(in: 1...4, using: &generator)
    (self.keys, full) = (keys, 4 * burst)
    maxWait = Int.random(in: 0...16, using: &generator)
    maxKeys = Int.random(in: 1...keys, using: &generator)
    if keys == 1 {
      limiter = .plain(
        PromiseRateLimiter(1, per: .seconds(4), burst: burst, maxWait: .seconds(maxWait), clock: clock))
    } else {
      limiter = .keyed(
        PromiseKeyedRateLimiter(
          1, per: .seconds(4), burst: burst, maxWait: .seconds(maxWait), maxKeys: maxKeys, clock: clock))
    }
    log = ["burst \(burst)", "maxWait \(maxWait)", "maxKeys \(maxKeys)"]
  }

  mutating func step(using generator: inout SeededGenerator) {
    steps += 1
    switch Int.random(in: 0..<8, using: &generator) {
    case 0...3: call(Int.random(in: 0..<keys, using: &generator))
    case 4:
      let waiting = calls.indices.filter { !calls[$0].isCancelled && (calls[$0].time ?? 0) > now }
      if let index = waiting.randomElement(using: &generator) { cancel(index) }
    default:
      let time = Int.random(in: 1...6, using: &generator)
      log.append("wait \(time)")
      clock.advance(by: .seconds(time))
      now += time
      buckets = buckets.mapValues { [full] bucket in
        var bucket = bucket
        bucket.level = min(full, bucket.level + time)
        return bucket
      }
    }
  }

  private mutating func call(_ key: Int) {
    log.append("call \(key)")
    var bucket = buckets[key] ?? newBucket()
    let wait = max(0, 4 - bucket.level)
    if wait <= maxWait { bucket.level -= 4 }
    bucket.used = steps
    buckets[key] = bucket
    let promise = limiter.run(for: key) { [begun] in
      begun.increment()
      return Work(fulfilled: 7)
    }
    calls.append(Call(promise: promise, key: key, bucket: bucket.number, time: wait <= maxWait ? now + wait : nil))
  }

  /// Returns a full bucket. If there are too many buckets, the fullest one is removed. If two of them are equally full,
  /// the one that was used last stays.
  private mutating func newBucket() -> Bucket {
    let fullest = buckets.max { ($0.value.level, -$0.value.used) < ($1.value.level, -$1.value.used) }
    if let fullest, buckets.count == maxKeys { buckets[fullest.key] = nil }
    bucketCount += 1
    return Bucket(level: full, number: bucketCount)
  }

  private mutating func cancel(_ index: Int) {
    log.append("cancel \(index)")
    calls[index].promise.requestCancel()
    calls[index].isCancelled = true
    let call = calls[index]
    guard buckets[call.key]?.number == call.bucket else { return }
    buckets[call.key]?.used = steps
    // Only the latest token can be returned.
    let latest = calls.lastIndex { $0.bucket == call.bucket && $0.time != nil && !$0.isReturned }
    guard index == latest else { return }
    calls[index].isReturned = true
    buckets[call.key]?.level += 4
  }

  /// The difference between the limiter and the model.
  var fault: String? {
    let expected = calls.filter { call in call.time.map { $0 <= now && !call.isCancelled } ?? false }.count
    if begun.count != expected { return "\(begun.count) instead of \(expected) calls have begun" }
    for (index, call) in calls.enumerated() {
      let isRefused = call.promise.result?.error is PromiseRefusalError
      if isRefused != (call.time == nil) { return "call \(index) is \(String(describing: call.promise.result))" }
    }
    return nil
  }
}
