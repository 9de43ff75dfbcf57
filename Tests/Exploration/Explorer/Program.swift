@testable import Overmorrow

/// A few threads that use the engine, and what has to come of it, whatever the schedule.
struct Program {
  let name: String
  /// How it is explored unless that is said otherwise.
  let mode: Mode
  /// How the message begins of a finding that there has to be: one that is still to be mended in the engine, or an
  /// example.
  let known: String?
  /// All that `Run.outcome` has to be told, if the program is explored completely.
  let outcomes: Set<String>?
  let body: (Run) -> Void

  init(
    _ name: String, _ mode: Mode = .all, known: String? = nil, outcomes: Set<String>? = nil,
    _ body: @escaping (Run) -> Void
  ) {
    self.name = name
    self.mode = mode
    self.known = known
    self.outcomes = outcomes
    self.body = body
  }

  /// What is made once, when it is first used, has to be there before anything is explored.
  static let touchingStatics = Program("statics") { run in
    let (promise, resolver) = Promise<Int, Never>.makeWithResolver()
    _ = (Diagnostics.handler, Diagnostics.level)
    _ = SpareThreads.isAnyBlocked
    _ = Lane.isAnyWaiting
    _ = HandOverCount.isCounting
    _ = unsafe Lane.key.value
    PromiseInvalidationToken().chainInvalidation(from: PromiseInvalidationToken())
    resolver.fulfill(with: 1)
  }
}

/// One execution of a program.
final class Run: @unchecked Sendable {
  private var threads: [() -> Void] = []
  private var checks: [() -> Void] = []
  /// What has happened so far, in order; see `note`.
  private(set) var log: [String] = []
  /// Drops the references that it has given out, if no thread has.
  private var given: [() -> Void] = []
  private lazy var order = Counter()
  /// What has been handed to global queues; it is run when all threads have ended, unless a thread does that earlier.
  let queue = WorkQueue()

  /// One of up to three threads.
  func thread(_ body: @escaping () -> Void) { threads.append(body) }

  /// One that uses a reference, and drops it.
  func thread<Value>(with owned: Owned<Value>, _ body: @escaping (Value) -> Void) { thread { owned.use(body) } }

  /// A thread for each of these.
  func race(_ bodies: () -> Void...) { threads += bodies }

  /// When all threads have ended.
  func atEnd(_ check: @escaping () -> Void) { checks.append(check) }

  /// Something has happened that is not expected to be in any order.
  func count(_ what: String) {
    Scheduler.shared.trace.remark(Scheduler.shared.current, what)
    log.append(what)
  }

  /// Something has happened, before or after what other threads note: both orders are explored.
  func note(_ what: String) {
    order.step()
    count(what)
  }

  /// One of those that the program is to have.
  func outcome(_ outcome: String) { Run.outcomes.insert(outcome) }

  nonisolated(unsafe) static var outcomes: Set<String> = []

  func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { Scheduler.shared.fail("\(message()); log: \(log)") }
  }

  /// Several references to one object, each dropped by its holder. One that no thread has dropped goes at the end, after
  /// all checks.
  func share<Value>(_ value: Value, _ count: Int) -> [Owned<Value>] {
    let counter = Counter()
    let references = (0..<count).map { _ in Owned(value, counter) }
    given += references.map { $0.letGo }
    return references
  }

  /// One reference, to be dropped by one thread, or at the end.
  func own<Value>(_ value: Value) -> Owned<Value> { share(value, 1)[0] }

  // MARK: Running

  static func execute(_ program: Program) {
    let scheduler = Scheduler.shared
    scheduler.begin()
    Witness.alive = 0
    do {
      let run = Run()
      scheduler.queue = run.queue
      program.body(run)
      scheduler.run(run.threads)
      run.threads = []
      if !scheduler.isIdle { run.queue.runAll() }
      scheduler.queue = nil
      let (checks, given) = (run.checks, run.given)
      run.checks = []
      run.given = []
      if !scheduler.isIdle {
        for check in checks { check() }
        for letGo in given { letGo() }
        run.expect(Witness.alive == 0, "\(Witness.alive) results are left")
      }
      // Until here: what they look at, such as a token, must not keep a result either.
      withExtendedLifetime(checks) {}
    }
    let left = scheduler.end()
    if !left.isEmpty, !scheduler.isIdle, !scheduler.isWarmingUp {
      let names = left.map {
        scheduler.trace.name($0.core, $0.name.map { "\($0)" } ?? "\($0.site.file):\($0.site.line)")
      }
      scheduler.fail("something is left alive: \(names.joined(separator: ", "))")
    }
  }
}

/// An atomic that stands for one outside of the engine, such as a reference count.
final class Counter: @unchecked Sendable {
  private let atomic = Atomic(0)

  /// Before or after what others do here, without publishing anything.
  func step() { atomic.add(1, ordering: .relaxed) }

  /// As an object's reference count that goes down.
  func drop() { atomic.add(1, ordering: .acquiringAndReleasing) }
}

/// A reference that its owner drops at a certain point.
final class Owned<Value>: @unchecked Sendable {
  private var content: Value?
  private let counter: Counter

  init(_ value: Value, _ counter: Counter) {
    content = value
    self.counter = counter
  }

  var value: Value {
    guard let content else { Scheduler.shared.fail("a program uses what it has dropped") }
    return content
  }

  func drop() {
    counter.drop()
    content = nil
  }

  /// Uses the reference, and drops it.
  func use(_ body: (Value) -> Void) {
    body(value)
    drop()
  }

  fileprivate func letGo() { content = nil }
}
