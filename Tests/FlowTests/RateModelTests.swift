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
/// the level rises by one unit in each unit of time. The level is negative while calls wait.
private struct RateProgram {
  private typealias Work = Promise<Int, any Error>

  private enum Limiter {
    case plain(PromiseRateLimiter)
    case keyed(PromiseKeyedRateLimiter<Int>)
  }

  /// The form of a call: `run` on `.immediate`, `run` on a context with a queue, or `perform` in a task.
  private enum Form: CaseIterable { case immediate, queued, task }

  private enum State { case refused, waiting, queued, begun, cancelled }

  private struct Bucket {
    /// The level without its limit. Of two full buckets, the one with the higher level was full first.
    var level: Int
    /// The time of the latest change, in steps.
    var used = 0
    /// The calls that wait, in their order.
    var waiting: [Int] = []
  }

  private struct Call {
    let promise: Work
    let form: Form
    let key: Int
    /// The index of the bucket.
    let bucket: Int
    var state: State
  }

  private let clock = TestClock()
  private let limiter: Limiter
  private let context = ManualContext()
  private let executor = SteppedExecutor()
  private let keys: Int
  private let maxKeys: Int
  private let full: Int
  private let maxWait: Int
  /// All buckets so far.
  private var buckets: [Bucket] = []
  /// The indices of the buckets that the limiter has, by their keys.
  private var kept: [Int: Int] = [:]
  private var steps = 0
  private var calls: [Call] = []
  /// The calls that wait on the queue of their context.
  private var queue: [Int] = []
  /// The tasks that have their tokens, and continue when their executor runs.
  private var resumed: [Int] = []
  /// The calls that have begun, in their order.
  private var begun: [Int] = []
  private let begins = Recorder<Int>()
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
    switch Int.random(in: 0..<12, using: &generator) {
    case 0...4:
      let form = Form.allCases.randomElement(using: &generator) ?? .immediate
      call(Int.random(in: 0..<keys, using: &generator), form)
    case 5...7:
      let open = calls.indices.filter { [.waiting, .queued].contains(calls[$0].state) }
      if let index = open.randomElement(using: &generator) { cancel(index) }
    case 8: runQueue()
    case 9: dropQueue()
    default: wait(Int.random(in: 1...6, using: &generator))
    }
    drain()
  }

  /// Runs the tasks.
  private mutating func drain() {
    executor.run()
    for call in resumed { begin(call) }
    resumed = []
  }

  private mutating func call(_ key: Int, _ form: Form) {
    log.append("call \(key) \(form)")
    let bucket = kept[key] ?? makeBucket()
    kept[key] = bucket
    buckets[bucket].level = min(full, buckets[bucket].level)
    let (index, wait) = (calls.count, max(0, 4 - buckets[bucket].level))
    buckets[bucket].used = steps
    let promise = start(index, key, form)
    calls.append(
      Call(promise: promise, form: form, key: key, bucket: bucket, state: wait > maxWait ? .refused : .waiting))
    if wait > maxWait { return }
    buckets[bucket].level -= 4
    buckets[bucket].waiting.append(index)
    settle(bucket)
  }

  private func start(_ index: Int, _ key: Int, _ form: Form) -> Work {
    let work: @Sendable () -> Work = { [begins] in
      begins.record(index)
      return Work(fulfilled: index)
    }
    let place = form == .queued ? context.context : .immediate
    guard form == .task else {
      return switch limiter {
      case .plain(let limiter): limiter.run(on: place, work)
      case .keyed(let limiter): limiter.run(for: key, on: place, work)
      }
    }
    let promise = Work(taskExecutor: executor) { [limiter, begins] in
      switch limiter {
      case .plain(let limiter): try await limiter.perform { begins.record(index) }
      case .keyed(let limiter): try await limiter.perform(for: key) { begins.record(index) }
      }
      return index
    }
    executor.run()
    return promise
  }

  /// Returns the index of a full bucket. If there are too many buckets, the fullest one is removed. If two of them are
  /// equally full, the one that was used last stays.
  private mutating func makeBucket() -> Int {
    let fullest = kept.max { left, right in
      let (left, right) = (buckets[left.value], buckets[right.value])
      return (left.level, -left.used) < (right.level, -right.used)
    }
    if let fullest, kept.count == maxKeys { kept[fullest.key] = nil }
    buckets.append(Bucket(level: full))
    return buckets.count - 1
  }

  /// Begins the calls that have their tokens.
  private mutating func settle(_ index: Int) {
    while let call = buckets[index].waiting.first, buckets[index].level + 4 * (buckets[index].waiting.count - 1) >= 0 {
      buckets[index].waiting.removeFirst()
      switch calls[call].form {
      case .immediate: begin(call)
      case .queued:
        calls[call].state = .queued
        queue.append(call)
      case .task: resumed.append(call)
      }
    }
  }

  private mutating func begin(_ call: Int) {
    calls[call].state = .begun
    begun.append(call)
  }

  private mutating func wait(_ time: Int) {
    log.append("wait \(time)")
    for _ in 0..<time {
      clock.advance(by: .seconds(1))
      for index in buckets.indices {
        buckets[index].level += 1
        settle(index)
      }
      drain()
    }
  }

  private mutating func cancel(_ index: Int) {
    log.append("cancel \(index)")
    calls[index].promise.requestCancel()
    returnToken(of: index)
  }

  private mutating func returnToken(of index: Int) {
    let (key, bucket) = (calls[index].key, calls[index].bucket)
    calls[index].state = .cancelled
    steps += 1
    if kept[key] == bucket { buckets[bucket].used = steps }
    queue.removeAll { $0 == index }
    buckets[bucket].waiting.removeAll { $0 == index }
    buckets[bucket].level += 4
    settle(bucket)
  }

  private mutating func runQueue() {
    log.append("run")
    context.runAll()
    for call in queue { begin(call) }
    queue = []
  }

  private mutating func dropQueue() {
    log.append("drop")
    context.dropAll()
    for call in queue { returnToken(of: call) }
  }

  /// The difference between the limiter and the model.
  var fault: String? {
    // Calls of different keys may begin in any order.
    let (begun, begins) = keys == 1 ? (begun, self.begins.entries) : (begun.sorted(), self.begins.entries.sorted())
    if begins != begun { return "\(begins) instead of \(begun) have begun" }
    for (index, call) in calls.enumerated() {
      let state: State? =
        switch call.promise.result {
        case .none: call.state == .queued ? .queued : .waiting
        case .value: .begun
        case .error(let error): error is PromiseRefusalError ? .refused : nil
        case .cancelled: .cancelled
        }
      if state != call.state { return "call \(index) is \(String(describing: call.promise.result)), not \(call.state)" }
    }
    return nil
  }
}
