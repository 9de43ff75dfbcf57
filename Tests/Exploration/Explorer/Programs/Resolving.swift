@testable import Overmorrow
@testable import OvermorrowEngine

extension Program {
  static let resolving: [Program] = [
    Program("two threads compete for a right that can be taken once") { run in
      let right = OnceFlag()
      for _ in 0..<2 { run.thread { if right.take() { run.record("taken") } } }
      run.expectAtEnd(["taken"])
    },
    Program("resolving races with registering") { run in
      let (observer, source) = run.ownSubject()
      run.race(source.fulfil, { observer.use { $0.observe(run) } })
      run.expectAtEnd(["value 1"])
    },
    Program("resolving races with two threads that register an observer") { run in
      resolveWhileTwoRegister(in: run, times: 1) { $0.observe(run) }
    },
    Program("resolving races with two threads that register steps without a handle", .narrow) { run in
      resolveWhileTwoRegister(in: run, times: 2) { $0.tap(on: .immediate) { run.record($0.text) } }
    },
    Program("resolving races with a thread that registers twice") { run in
      let (observer, source) = run.ownSubject()
      run.race(source.fulfil, { observer.use { $0.record("first", "second", in: run) } })
      run.expectAtEnd(inAnyOrder: ["first", "second"])
    },
    Program("an executor receives its work in order while a thread registers twice") { run in
      let (observer, source) = run.ownSubject()
      let list = OrderList(run)
      observer.value.record("0", in: run, on: list)
      run.race(source.fulfil, { observer.use { $0.record("1", "2", in: run, on: list) } })
      run.atEnd { list.runAll() }
      run.expectAtEnd(["0", "1", "2"])
    },
    Program("an executor receives the last of two steps first while a thread registers") { run in
      let (observer, source) = run.ownSubject()
      let list = OrderList(run)
      observer.value.record("a", in: run)
      observer.value.record("b", in: run, on: list)
      run.race(source.fulfil, { observer.use { $0.record("c", in: run, on: list) } })
      run.atEnd { list.runAll() }
      run.expectAtEnd(["a", "b", "c"])
    },
    Program("resolving with two observers races with two threads that register another") { run in
      resolveWhileTwoRegister(in: run, times: 1, waiting: ["a", "b"]) { $0.observe(run) }
    },
    Program("two threads register twice while a third one resolves", .narrow) { run in
      let (observers, sources) = run.share(observers: 2)
      let list = OrderList(run)
      observers[0].value.record("0", in: run, on: list)
      run.thread(with: sources[0]) { $0.fulfill(with: Witness(1)) }
      for (observer, name) in zip(observers, ["a", "b"]) {
        run.thread(with: observer) {
          $0.record("\(name)1", in: run, on: list)
          $0.record("\(name)2", in: run)
        }
      }
      run.expectAtEnd(inAnyOrder: ["a2", "b2"])
      run.atEnd { list.runAll() }
      run.expectAtEnd(inAnyOrder: ["0", "a1", "a2", "b1", "b2"])
      run.expectAtEnd(run.log[2] == "0", "the first observer was not submitted first")
    },
    Program("two resolvers resolve an observed promise") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let sources = run.share(resolver, 2)
      promise.observe(run)
      run.race(sources[0].fulfil, { sources[1].use { $0.fulfill(with: Witness(2)) } })
      run.expectAtEnd(["value 1"], ["value 2"])
    },
    Program("fulfilling races with cancelling and with two reads of the result") { run in
      let (observers, sources) = run.share(sources: 2)
      run.race(sources[0].fulfil, sources[1].cancel)
      run.thread(with: observers[0]) {
        let (first, second) = ($0.result?.text, $0.result?.text)
        run.expect(first == nil || first == second, "the result has changed from \(first ?? "") to \(second ?? "")")
      }
    },
    Program("dropping the resolver races with registering") { run in
      let (observer, source) = run.ownSubject()
      run.race(source.drop, { observer.use { $0.observe(run) } })
      run.expectAtEnd(["cancelled"])
    },
    Program("resolving races with releasing the handle") { run in
      let (observer, source) = run.ownSubject()
      run.race(source.fulfil, observer.drop)
    },
    Program("resolving races with two threads that drop the handle, one after a read") { run in
      let (observers, sources) = run.share(observers: 2)
      run.race(sources[0].fulfil, { observers[0].use { _ = $0.result?.text } }, observers[1].drop)
    },
    Program("resolving a chain races with dropping its end") { run in
      let (promise, source) = run.subject()
      let end = run.own(
        promise.map(on: .immediate) { Witness($0.read + 1) }.map(on: .immediate) { Witness($0.read + 1) })
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.thread(with: end) { if let result = $0.result { run.expect(result.text == "value 3", "wrong value") } }
    },
    Program("resolving a chain races with registering at its end") { run in
      let (promise, source) = run.subject()
      let end = run.own(promise.map(on: .immediate) { Witness($0.read + 1) })
      run.race(source.fulfil, { end.use { $0.map(on: .immediate) { Witness($0.read + 1) }.observe(run) } })
      run.expectAtEnd(["value 3"])
    },
    Program("another thread runs a step for an executor") { run in
      let (observer, source) = run.ownSubject()
      let queue = WorkQueue()
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.thread(with: observer) { $0.map(on: .executor(queue)) { Witness($0.read + 1) }.observe(run) }
      run.thread { queue.runOne() }
      run.expectAtEnd(["value 2"])
    },
    Program("resolving races with an executor that drops the step's work") { run in
      let (promise, source) = run.subject()
      let queue = WorkQueue()
      promise.map(on: .executor(queue)) { Witness($0.read + 1) }.observe(run)
      run.race(source.fulfil, queue.dropAll)
      run.atEnd { queue.dropAll() }
      run.expectAtEnd(["cancelled"])
    },
    Program("invalidating races with resolving") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (source, token) = (run.own(resolver), run.own(PromiseInvalidationToken()))
      let before = Scheduler.shared.makeField("before invalidation")
      let step = promise.map(on: .immediate, token: token.value) { witness in
        run.recordInOrder("ran")
        return Witness(witness.read + 1)
      }.requestCancelOnInvalidate(token.value)
      step.observe(run)
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.thread(with: token) {
        Scheduler.shared.touch(before, .change)
        $0.invalidate()
        run.recordInOrder("invalidated")
      }
      run.atEnd {
        Scheduler.shared.touch(before, .change)
        before.isEnded = true
        run.expect(run.log.contains("value 2") == run.log.contains("ran"), "the result is not that of the callback")
      }
    },
  ]

  /// Resolves a promise on one thread while two others each call `register` the given number of times. Each call must
  /// add an entry to the log.
  private static func resolveWhileTwoRegister(
    in run: Run, times: Int, waiting names: [String] = [], _ register: @escaping @Sendable (Subject) -> Void
  ) {
    let (observers, sources) = run.share(observers: 2)
    for name in names { observers[0].value.record(name, in: run) }
    run.thread(with: sources[0]) { $0.fulfill(with: Witness(1)) }
    for observer in observers {
      run.thread(with: observer) { for _ in 0..<times { register($0) } }
    }
    run.expectAtEnd(inAnyOrder: names + Array(repeating: "value 1", count: 2 * times))
  }
}
