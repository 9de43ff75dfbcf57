@testable import Overmorrow
@testable import OvermorrowEngine

/// A result whose instances are counted. It detects a reader that does not know the writes made before it was passed
/// on.
final class Witness: @unchecked Sendable {
  nonisolated(unsafe) static var alive = 0

  private let number: Int
  private let field: PlainField

  init(_ number: Int) {
    self.number = number
    field = Scheduler.shared.makeField("witness")
    Scheduler.shared.touch(field, .change)
    Witness.alive += 1
  }

  /// The number, read by a thread that has received this object through a promise.
  var read: Int {
    Scheduler.shared.touch(field, .read)
    return number
  }

  /// Makes a change that a reader on another thread must know.
  func write() { Scheduler.shared.touch(field, .change) }

  deinit {
    Witness.alive -= 1
    field.isEnded = true
  }
}

typealias Subject = Promise<Witness, Never>

extension Run {
  /// Expects that the log is one of these when all threads have ended.
  func expectAtEnd(_ allowed: [String]...) {
    atEnd { self.expect(allowed.contains(self.log), "expected one of \(allowed)") }
  }

  /// Expects that the log has these entries, in any order.
  func expectAtEnd(inAnyOrder notes: [String]) {
    atEnd { self.expect(self.log.sorted() == notes.sorted(), "expected \(notes), in any order") }
  }

  /// Expects that a promise has this result.
  func expectAtEnd(_ promise: Owned<Subject>, _ result: String) {
    atEnd { self.expect(promise.value.result?.text == result, "a promise is not \(result)") }
  }

  /// Expects that a resolver has received a request.
  func expectRequestAtEnd(of source: Owned<Subject.Resolver>) {
    atEnd { self.expect(source.value.hasRequestedCancel, "the request has not arrived") }
  }

  /// Expects that a condition holds when all threads have ended.
  func expectAtEnd(_ condition: @escaping @autoclosure () -> Bool, _ message: @escaping @autoclosure () -> String) {
    atEnd { self.expect(condition(), message()) }
  }

  /// Creates a promise that no thread holds, and its resolver. If `complying` is true, the resolver records a request
  /// to cancel and then cancels.
  func subject(complying: Bool = false) -> (promise: Subject, source: Owned<Subject.Resolver>) {
    let (promise, resolver) = Subject.makeWithResolver()
    if complying {
      resolver.onRequestCancel(on: .immediate) { resolver in
        self.record("asked")
        resolver.cancel()
      }
    }
    return (promise, own(resolver))
  }

  /// Creates a promise and its resolver, both held by threads.
  func ownSubject(complying: Bool = false) -> (Owned<Subject>, Owned<Subject.Resolver>) {
    let (promise, resolver) = subject(complying: complying)
    return (own(promise), resolver)
  }

  /// Like `ownSubject`, with several references to the promise or to the resolver.
  func share(observers: Int = 1, sources: Int = 1) -> ([Owned<Subject>], [Owned<Subject.Resolver>]) {
    let (promise, resolver) = Subject.makeWithResolver()
    return (share(promise, observers), share(resolver, sources))
  }
}

// Operations that a thread performs on a reference, which it then drops.

extension Owned<Subject.Resolver> {
  func fulfil() { use { $0.fulfill(with: Witness(1)) } }

  func cancel() { use { $0.cancel() } }

  /// Resolves the promise with another one, and drops that one too.
  func adopt(_ promise: Owned<Subject>) {
    value.resolve(with: promise.value)
    promise.drop()
    drop()
  }

  /// Resolves the promise with another one, and searches for a cycle as a watched promise does.
  func adoptWatched(_ promise: Owned<Subject>) {
    use { resolver in
      resolver.resolve(with: promise.value)
      // The producer keeps a count while its promise adopts.
      resolver.object.core.breakCycle(through: promise.value.handle.core)
    }
  }

  /// Registers a handler that records its name.
  func handle(_ name: String, in run: Run) {
    use { $0.onRequestCancel(on: .immediate) { _ in run.record(name) } }
  }
}

extension Owned {
  func requestCancel<Result, Failure>() where Value == Promise<Result, Failure> { use { $0.requestCancel() } }

  func requestCancel() where Value == PromiseCancellable { use { $0.requestCancel() } }
}

extension PromiseResult where Value == Witness {
  var text: String {
    switch self {
    case .value(let witness): "value \(witness.read)"
    case .error: "error"
    case .cancelled: "cancelled"
    }
  }
}

extension Promise where Value == Witness {
  /// Registers an immediate observer that records the result.
  func observe(_ run: Run, _ name: String = "") {
    always(on: .immediate) { run.record(name + $0.text) }
  }
}

extension Subject {
  /// Registers observers that record their names.
  func record(_ names: String..., in run: Run, on executor: OrderList? = nil) {
    let context = executor.map { PromiseContext.executor($0) } ?? .immediate
    for name in names { then(on: context) { _ in run.record(name) } }
  }
}

/// An executor that stores work until a thread runs it.
final class WorkQueue: PromiseExecutor, @unchecked Sendable {
  private let work = Guarded<[@Sendable () -> Void]>([])
  private let available = Permits(0)

  func enqueue(_ body: @escaping @Sendable () -> Void) {
    work.withLock { $0.append(body) }
    available.give()
  }

  /// Waits for the next piece of work and runs it.
  func runOne() {
    available.take()
    work.withLock { $0.removeFirst() }()
  }

  /// Runs the stored work and the work that results from it, at most a hundred pieces.
  func runAll() {
    for _ in 0..<100 {
      guard let next = work.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
      next()
    }
    Scheduler.shared.fail("a queue does not become empty")
  }

  /// Drops all stored work without running it.
  func dropAll() {
    let dropped = work.withLock { work in
      defer { work = [] }
      return work
    }
    withExtendedLifetime(dropped) {}
  }
}

/// An executor that stores work until the end, in the order of submission. All orders of submission by different
/// threads are explored.
final class OrderList: PromiseExecutor, @unchecked Sendable {
  private var work: [@Sendable () -> Void] = []
  private let order = Counter()
  private let run: Run

  init(_ run: Run) { self.run = run }

  func enqueue(_ body: @escaping @Sendable () -> Void) {
    order.step()
    work.append(body)
  }

  func runAll() {
    let all = work
    work = []
    for each in all { each() }
  }
}
