@testable import Overmorrow

/// A result that is counted, and that notices whether those who read it know what was done before.
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

  /// The number, as a thread reads it that has got this through a promise.
  var read: Int {
    Scheduler.shared.touch(field, .read)
    return number
  }

  /// A thread does something that others must know of.
  func write() { Scheduler.shared.touch(field, .change) }

  deinit {
    Witness.alive -= 1
    field.isEnded = true
  }
}

typealias Subject = Promise<Witness, Never>

extension Run {
  /// The log is one of these when all threads have ended.
  func expectAtEnd(_ allowed: [String]...) {
    atEnd { self.expect(allowed.contains(self.log), "expected one of \(allowed)") }
  }

  /// The log is these, in any order.
  func expectAtEnd(inAnyOrder notes: [String]) {
    atEnd { self.expect(self.log.sorted() == notes.sorted(), "expected \(notes), in any order") }
  }

  /// A promise has this result.
  func expectAtEnd(_ promise: Owned<Subject>, _ result: String) {
    atEnd { self.expect(promise.value.result?.text == result, "a promise is not \(result)") }
  }

  /// A resolver has been asked.
  func expectRequestAtEnd(of source: Owned<Subject.Resolver>) {
    atEnd { self.expect(source.value.hasRequestedCancel, "the request has not arrived") }
  }

  /// Something else holds then.
  func expectAtEnd(_ condition: @escaping @autoclosure () -> Bool, _ message: @escaping @autoclosure () -> String) {
    atEnd { self.expect(condition(), message()) }
  }

  /// A promise that no thread holds, and its resolver, which counts a request to cancel, and cancels, if it complies.
  func subject(complying: Bool = false) -> (promise: Subject, source: Owned<Subject.Resolver>) {
    let (promise, resolver) = Subject.makeWithResolver()
    if complying {
      resolver.onRequestCancel(on: .immediate) { resolver in
        self.count("asked")
        resolver.cancel()
      }
    }
    return (promise, own(resolver))
  }

  /// A promise, and its resolver.
  func ownSubject(complying: Bool = false) -> (Owned<Subject>, Owned<Subject.Resolver>) {
    let (promise, resolver) = subject(complying: complying)
    return (own(promise), resolver)
  }

  /// The same with several references to one of the two.
  func share(observers: Int = 1, sources: Int = 1) -> ([Owned<Subject>], [Owned<Subject.Resolver>]) {
    let (promise, resolver) = Subject.makeWithResolver()
    return (share(promise, observers), share(resolver, sources))
  }
}

// What threads do with a reference, which they drop then.

extension Owned<Subject.Resolver> {
  func fulfil() { use { $0.fulfill(with: Witness(1)) } }

  func cancel() { use { $0.cancel() } }

  /// Resolves with another promise, and drops that, too.
  func adopt(_ promise: Owned<Subject>) {
    value.resolve(with: promise.value)
    promise.drop()
    drop()
  }

  /// Registers a handler that counts its name.
  func handle(_ name: String, in run: Run) {
    use { $0.onRequestCancel(on: .immediate) { _ in run.count(name) } }
  }
}

extension Owned {
  func ask<Result, Failure>() where Value == Promise<Result, Failure> { use { $0.requestCancel() } }

  func ask() where Value == PromiseCancellable { use { $0.requestCancel() } }
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
  /// Notes the result when it is there, at once and where it is delivered.
  func observe(_ run: Run, _ name: String = "") {
    always(on: .immediate) { run.count(name + $0.text) }
  }
}

extension Subject {
  /// Registers observers, each of which counts its name.
  func count(_ names: String..., in run: Run, on executor: OrderList? = nil) {
    let context = executor.map { PromiseContext.executor($0) } ?? .immediate
    for name in names { then(on: context) { _ in run.count(name) } }
  }
}

/// An executor that keeps its work until a thread runs it.
final class WorkQueue: PromiseExecutor, @unchecked Sendable {
  private let work = Guarded<[@Sendable () -> Void]>([])
  private let available = Permits(0)

  func enqueue(_ body: @escaping @Sendable () -> Void) {
    work.withLock { $0.append(body) }
    available.give()
  }

  /// Runs the next piece, when it is there.
  func runOne() {
    available.take()
    work.withLock { $0.removeFirst() }()
  }

  /// Runs what is there by now, and what comes of it; a hundred pieces at most.
  func runAll() {
    for _ in 0..<100 {
      guard let next = work.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
      next()
    }
    Scheduler.shared.fail("a queue does not get empty")
  }

  /// Drops the next piece unrun, if there is one.
  func dropAll() {
    let dropped = work.withLock { work in
      defer { work = [] }
      return work
    }
    withExtendedLifetime(dropped) {}
  }
}

/// An executor that keeps its work to the end, in the order in which it came. Which thread comes first is explored.
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
