import Overmorrow
import OvermorrowFlow

/// A limiter with jobs and tasks that a test ends. All tasks run inside `runTasks()`.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct LimiterBench {
  typealias Work = Promise<Int, any Error>

  let clock = TestClock()
  let limiter: PromiseLimiter
  /// The jobs in the order of their starts.
  var starts: Recorder<Int> { calls.starts }
  /// The running jobs that were asked to cancel.
  var asked: Recorder<Int> { calls.asked }
  private(set) var tasks: [Int: Task<Void, Never>] = [:]
  private let calls = Calls()
  private let executor = SteppedExecutor()

  /// The state that the closures of the calls share.
  private final class Calls: Sendable {
    let starts = Recorder<Int>()
    let asked = Recorder<Int>()
    let promises = Table<Work>()
    let resolvers = Table<Work.Resolver>()
    let outcomes = Table<LimiterModel.Outcome>()
  }

  init(width: Int, maxPending: Int?, maxWait: Duration?) {
    limiter = PromiseLimiter(width: width, maxPending: maxPending, maxWait: maxWait, clock: clock)
  }

  // MARK: Calls

  func submitJob(_ number: Int, in all: [LimiterModel.Call]) { LimiterBench.submitJob(number, in: all, limiter, calls) }

  private static func submitJob(
    _ number: Int, in all: [LimiterModel.Call], _ limiter: PromiseLimiter, _ calls: Calls
  ) {
    let call = all[number]
    let promise = limiter.run(on: .immediate, priority: call.priority) {
      calls.starts.record(number)
      if call.endsAtOnce { return Work(fulfilled: number) }
      let (promise, resolver) = Work.makeWithResolver()
      calls.resolvers[number] = resolver
      resolver.onRequestCancel(on: .immediate) { resolver in
        calls.asked.record(number)
        if !call.complies { return }
        resolver.cancel()
        if let successor = call.successor { submitJob(successor, in: all, limiter, calls) }
      }
      return promise
    }
    calls.promises[number] = promise
  }

  mutating func submitTask(_ number: Int, _ call: LimiterModel.Call) {
    tasks[number] = Task(executorPreference: executor, priority: call.taskPriority) { [limiter, calls] in
      let outcome: LimiterModel.Outcome
      do {
        try await limiter.perform(priority: call.priority) {
          if call.endsAtOnce { return }
          let (promise, resolver) = Work.makeWithResolver()
          calls.resolvers[number] = resolver
          _ = try await promise.value
        }
        outcome = .value
      } catch {
        outcome = .init(error)
      }
      calls.outcomes[number] = outcome
    }
  }

  func end(_ number: Int, _ outcome: LimiterModel.Outcome) {
    let resolver = calls.resolvers[number]
    if outcome == .value { resolver?.fulfill(with: number) } else { resolver?.reject(with: Refusal.first) }
  }

  /// Asks jobs to cancel, all of them before another job starts.
  func cancel(_ numbers: [Int]) {
    let promises = numbers.compactMap { calls.promises[$0] }
    let (all, resolver) = Work.makeWithResolver()
    resolver.onRequestCancel(on: .immediate) { resolver in
      for promise in promises { promise.requestCancel() }
      resolver.cancel()
    }
    all.requestCancel()
  }

  func runTasks() { executor.run() }

  /// Drops the resolvers, which retain the calls.
  func drop() { calls.resolvers.removeAll() }

  // MARK: Results

  func promise(of number: Int) -> Work? { calls.promises[number] }

  func outcome(of number: Int, _ call: LimiterModel.Call) -> LimiterModel.Outcome? {
    if call.isTask { return calls.outcomes[number] }
    return switch calls.promises[number]?.result {
    case .value: .value
    case .error(let error): .init(error)
    case .cancelled: .cancelled
    case nil: nil
    }
  }
}

extension LimiterModel.Outcome {
  fileprivate init(_ error: any Error) {
    self =
      switch error {
      case PromiseRefusalError.queueFull: .queueFull
      case PromiseRefusalError.waitExpired: .waitExpired
      case is CancellationError: .cancelled
      default: .failure
      }
  }
}

/// A dictionary that callbacks may use.
private final class Table<Value: Sendable>: Sendable {
  private let values = Holder<[Int: Value]>([:])

  subscript(number: Int) -> Value? {
    get { values.value?[number] }
    set {
      var all = values.take() ?? [:]
      all[number] = newValue
      values.value = all
    }
  }

  func removeAll() { values.value = [:] }
}
