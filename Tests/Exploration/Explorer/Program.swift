@testable import Overmorrow
@testable import OvermorrowDiagnostics
@testable import OvermorrowEngine

/// A program with a few threads that use the engine, and the results expected under every schedule.
struct Program {
  let name: String
  /// The default mode of exploration.
  let mode: Mode
  /// The beginning of the message of an expected finding: a known fault of the engine, or an example.
  let known: String?
  /// The complete set of outcomes that the program must report if it is explored completely.
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

  /// Initialises all lazy statics before exploration begins.
  static let touchingStatics = Program("statics") { run in
    let (promise, resolver) = Promise<Int, Never>.makeWithResolver()
    _ = (Diagnostics.handler, Diagnostics.level)
    _ = HandOverCount.isCounting
    PromiseInvalidationToken().chainInvalidation(from: PromiseInvalidationToken())
    resolver.fulfill(with: 1)
  }
}

/// One execution of a program.
final class Run: @unchecked Sendable {
  private var threads: [() -> Void] = []
  private var checks: [() -> Void] = []
  /// The events so far. Only `recordInOrder` makes their order matter.
  private(set) var log: [String] = []
  /// Closures that release the references which no thread has dropped.
  private var releases: [() -> Void] = []
  private let order = Counter()
  /// The work submitted to global queues. It runs after all threads have ended, unless a thread runs it earlier.
  let queue = WorkQueue()

  /// Adds one of up to three threads.
  func thread(_ body: @escaping () -> Void) { threads.append(body) }

  /// Adds a thread that uses a reference and then drops it.
  func thread<Value>(with owned: Owned<Value>, _ body: @escaping (Value) -> Void) { thread { owned.use(body) } }

  /// Adds a thread for each closure.
  func race(_ bodies: () -> Void...) { threads += bodies }

  /// Adds a check that runs after all threads have ended.
  func atEnd(_ check: @escaping () -> Void) { checks.append(check) }

  /// Records an event whose order relative to other threads does not matter.
  func record(_ event: String) {
    Scheduler.shared.trace.remark(Scheduler.shared.current, event)
    log.append(event)
  }

  /// Records an event whose order relative to the events of other threads matters. Both orders are explored.
  func recordInOrder(_ event: String) {
    order.step()
    record(event)
  }

  /// Records an outcome that the program is expected to have.
  func outcome(_ outcome: String) { Run.outcomes.insert(outcome) }

  nonisolated(unsafe) static var outcomes: Set<String> = []

  func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { Scheduler.shared.fail("\(message()); log: \(log)") }
  }

  /// Creates several references to one object. A thread may drop its reference. A reference that no thread has dropped
  /// is released at the end, after all checks.
  func share<Value>(_ value: Value, _ count: Int) -> [Owned<Value>] {
    let counter = Counter()
    let references = (0..<count).map { _ in Owned(value, counter) }
    releases += references.map { $0.release }
    return references
  }

  /// Creates one such reference.
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
      let (checks, releases) = (run.checks, run.releases)
      run.checks = []
      run.releases = []
      if !scheduler.isIdle {
        for check in checks { check() }
        for release in releases { release() }
        run.expect(Witness.alive == 0, "\(Witness.alive) results are left")
      }
      // Keep the checks until here: the objects that they use, such as a token, must not retain a result either.
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

/// An atomic that stands for one outside the engine, such as a reference count.
final class Counter: @unchecked Sendable {
  private let atomic = Atomic(0)

  /// An access that is ordered relative to other threads' accesses here but publishes nothing.
  func step() { atomic.add(1, ordering: .relaxed) }

  /// Models a decrement of an object's reference count.
  func drop() { atomic.add(1, ordering: .acquiringAndReleasing) }
}

/// A reference that its owner drops explicitly.
final class Owned<Value>: @unchecked Sendable {
  private var content: Value?
  private let counter: Counter

  init(_ value: Value, _ counter: Counter) {
    content = value
    self.counter = counter
  }

  var value: Value {
    guard let content else { Scheduler.shared.fail("a program uses a reference that it has dropped") }
    return content
  }

  func drop() {
    counter.drop()
    content = nil
  }

  /// Uses the reference and then drops it.
  func use(_ body: (Value) -> Void) {
    body(value)
    drop()
  }

  fileprivate func release() { content = nil }
}
