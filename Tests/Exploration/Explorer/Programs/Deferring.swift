@testable import Overmorrow
@testable import OvermorrowEngine

/// Work of calls that would nest too deep.
extension Program {
  static let deferring: [Program] = [
    Program("a deferred step races with its end from elsewhere") { run in
      let (queue, before) = (WorkQueue(), run.own(Subject(fulfilled: Witness(1))))
      run.thread {
        inside(run) {
          let step = before.value.map(on: .immediate) { Witness($0.read + 1) }
          before.drop()
          step.observe(run)
          step.map(on: .immediate) { Witness($0.read + 1) }.observe(run)
          queue.enqueue { step.handle.core.cancelWaiting() }
        }
        run.record("end")
      }
      run.thread { queue.runOne() }
      run.expectAtEnd(
        ["value 2", "value 3", "end"], ["cancelled", "cancelled", "end"], ["cancelled", "end", "cancelled"],
        ["end", "cancelled", "cancelled"])
    },
    Program("a deferred step races with the invalidation of its token") { run in
      let token = run.own(PromiseInvalidationToken())
      run.thread {
        let token = token.value
        inside(run) {
          Subject(fulfilled: Witness(1)).map(on: .nowOr(.main), token: token) { Witness($0.read + 1) }.observe(run)
        }
        run.record("end")
      }
      run.thread(with: token) { $0.invalidate() }
      run.expectAtEnd(["value 2", "end"], ["cancelled", "end"])
    },
    Program("deferred deliveries race with a thread that registers an observer") { run in
      let (observer, source) = run.ownSubject()
      observer.value.record("a", "b", in: run)
      run.thread(with: source) { source in
        inside(run) {
          source.fulfill(with: Witness(1))
          run.record("deferred")
        }
      }
      run.thread { observer.use { $0.record("c", in: run) } }
      run.atEnd { run.expect(run.log.prefix(2) == ["deferred", "a"], "the delivery is not deferred") }
      run.expectAtEnd(inAnyOrder: ["deferred", "a", "b", "c"])
    },
    Program(
      "deferred work runs depth first while another thread registers an observer",
      .bounded(preemptions: 1, stale: 1)
    ) { run in
      let (observer, source) = run.ownSubject()
      let other = run.own(Subject.makeWithResolver())
      other.value.promise.record("source 1", in: run)
      observer.value.then(on: .immediate) { _ in
        run.record("a")
        run.register("a1") { run.register("a1 inner") }
        other.value.resolver.fulfill(with: Witness(2))
        run.register("a2")
      }
      .always(on: .immediate) { _ in run.record("child of a") }
      observer.value.record("b", in: run)
      run.thread(with: source) { source in
        inside(run) {
          run.register("first")
          source.fulfill(with: Witness(1))
          run.register("last")
        }
        run.record("end")
      }
      run.thread { observer.use { $0.record("late", in: run) } }
      run.atEnd {
        let expected = [
          "first", "child of first", "a", "a1", "a1 inner", "child of a1 inner", "child of a1", "source 1", "a2",
          "child of a2", "child of a", "b", "last", "child of last", "end",
        ]
        let log = run.log.filter { $0 != "late" }
        run.expect(log == expected, "the order is not that of nested calls")
        run.expect(run.log.contains("late"), "an observer was lost")
      }
    },
    Program("an executor that runs work inside its call leaves the result to a deep pass, and a request races") { run in
      let (observer, source) = run.ownSubject()
      let inline = PromiseContext.executor(InlineExecutor(run))
      let step = observer.value.map(on: inline) { witness in
        run.register("inner")
        return Witness(witness.read + 1)
      }
      let end = step.map(on: inline) { Witness($0.read + 1) }.map(on: inline) { Witness($0.read + 1) }
      end.observe(run)
      observer.value.record("b", in: run)
      let cancellable = end.cancellable
      run.thread(with: source) { source in inside(run, levels: Pass.nesting - 1) { source.fulfill(with: Witness(1)) } }
      run.thread { cancellable.requestCancel() }
      run.expectAtEnd(["inner", "child of inner", "value 4", "b"])
      withExtendedLifetime(observer) {}
    },
    Program("a step of an executor that runs work inside its call keeps its order when passes nest too deep") { run in
      let (observer, source) = run.ownSubject()
      let inline = PromiseContext.executor(InlineExecutor(run))
      observer.value.always(on: inline) { _ in run.record("a") }
      observer.value.always(on: .immediate) { _ in
        Subject(fulfilled: Witness(1)).always(on: inline) { _ in
          run.record("handed over")
          run.register("inner")
        }
        run.record("registered")
      }
      run.thread(with: source) { source in inside(run, levels: Pass.nesting - 1) { source.fulfill(with: Witness(1)) } }
      run.thread { observer.use { $0.record("b", in: run) } }
      run.atEnd {
        let log = run.log.filter { $0 != "b" }
        let expected = ["a", "handed over", "inner", "child of inner", "registered"]
        run.expect(log == expected && run.log.count == 6, "the order is not that of the calls")
      }
    },
  ]

  /// Runs code inside the given number of passes. At the default number, each further call is deferred.
  private static func inside(_ run: Run, levels: Int = Pass.nesting, _ body: () -> Void) {
    if levels == 0 { return body() }
    // The outermost pass is one in which `isExecutingNow` is true.
    let next = { inside(run, levels: levels - 1, body) }
    levels == Pass.nesting ? Pass.performNow(next) : Pass.runInside(next)
  }
}

extension Run {
  /// Registers a callback on a resolved promise, and an observer of the promise of this callback.
  fileprivate func register(_ name: String, _ body: @escaping @Sendable () -> Void = {}) {
    Subject(fulfilled: Witness(1)).then(on: .immediate) { _ in
      self.record(name)
      self.expectShallow()
      self.expect(!PromiseContext.isExecutingNow, "deferred work is executed now")
      body()
    }
    .always(on: .immediate) { _ in self.record("child of \(name)") }
  }

  /// Expects that passes do not nest deeper than to the limit, and one level of an executor more.
  fileprivate func expectShallow() {
    expect(ThreadLocal.current.fields.depth <= Pass.nesting + 1, "the calls nest too deep")
  }
}

/// An executor that runs work inside the call.
private final class InlineExecutor: PromiseExecutor, @unchecked Sendable {
  private let run: Run

  init(_ run: Run) { self.run = run }

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    run.expectShallow()
    work()
  }
}
