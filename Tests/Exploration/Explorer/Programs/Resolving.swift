@testable import Overmorrow

extension Program {
  static let resolving: [Program] = [
    Program("a right is taken by one of two") { run in
      let right = OnceFlag()
      for _ in 0..<2 { run.thread { if right.take() { run.count("taken") } } }
      run.atEnd { run.expectLog(["taken"]) }
    },
    Program("resolve against register") { run in
      let (observer, source) = run.ownSubject()
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.thread(with: observer) { $0.observe(run) }
      run.expectAtEnd(["value 1"])
    },
    Program("resolve against two who register") { run in
      twoRegister(in: run, times: 1) { $0.observe(run) }
    },
    Program("resolve against two who register steps without a handle", .bounded(preemptions: 3, stale: 1)) { run in
      twoRegister(in: run, times: 2) { $0.tap(on: .immediate) { run.count($0.text) } }
    },
    Program("resolve against one who registers twice") { run in
      let (observer, source) = run.ownSubject()
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.thread {
        observer.value.then(on: .immediate) { _ in run.count("first") }
        observer.value.then(on: .immediate) { _ in run.count("second") }
        observer.drop()
      }
      run.atEnd { run.expect(run.log.sorted() == ["first", "second"], "not each once") }
      run.expectNoWitness()
    },
    Program("an executor gets its work in order, against one who registers twice") { run in
      let (observer, source) = run.ownSubject()
      let list = OrderList(run)
      observer.value.then(on: .executor(list)) { _ in run.count("0") }
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.thread {
        observer.value.then(on: .executor(list)) { _ in run.count("1") }
        observer.value.then(on: .executor(list)) { _ in run.count("2") }
        observer.drop()
      }
      run.atEnd {
        list.runAll()
        run.expectLog(["0", "1", "2"])
      }
      run.expectNoWitness()
    },
    Program("resolve, with two waiting, against two who register") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (observers, source) = (run.share(promise, 2), run.own(resolver))
      promise.then(on: .immediate) { _ in run.count("a") }
      promise.then(on: .immediate) { _ in run.count("b") }
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      for observer in observers {
        run.thread(with: observer) { $0.observe(run) }
      }
      run.atEnd { run.expect(run.log.sorted() == ["a", "b", "value 1", "value 1"], "not each once") }
      run.expectNoWitness()
    },
    Program("two threads register twice while a third one resolves", .bounded(preemptions: 3, stale: 1)) { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (observers, source) = (run.share(promise, 2), run.own(resolver))
      let list = OrderList(run)
      promise.then(on: .executor(list)) { _ in run.count("0") }
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      for (observer, name) in zip(observers, ["a", "b"]) {
        run.thread {
          observer.value.then(on: .executor(list)) { _ in run.count("\(name)1") }
          observer.value.then(on: .immediate) { _ in run.count("\(name)2") }
          observer.drop()
        }
      }
      run.atEnd {
        run.expect(run.log.sorted() == ["a2", "b2"], "not each once")
        list.runAll()
        run.expect(run.log.sorted() == ["0", "a1", "a2", "b1", "b2"], "not each once")
        run.expect(run.log[2] == "0", "out of order")
      }
      run.expectNoWitness()
    },
    Program("two resolvers, one observer") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let sources = run.share(resolver, 2)
      promise.observe(run)
      run.thread(with: sources[0]) { $0.fulfill(with: Witness(1)) }
      run.thread(with: sources[1]) { $0.fulfill(with: Witness(2)) }
      run.expectAtEnd(["value 1"], ["value 2"])
    },
    Program("two resolvers, one of which cancels, and a look at the result") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (observer, sources) = (run.own(promise), run.share(resolver, 2))
      run.thread(with: sources[0]) { $0.fulfill(with: Witness(1)) }
      run.thread(with: sources[1]) { $0.cancel() }
      run.thread {
        let first = observer.value.result?.text
        let second = observer.value.result?.text
        run.expect(first == nil || first == second, "the result has changed from \(first ?? "") to \(second ?? "")")
        observer.drop()
      }
      run.expectNoWitness()
    },
    Program("the resolver is dropped against register") { run in
      let (observer, source) = run.ownSubject()
      run.thread { source.drop() }
      run.thread(with: observer) { $0.observe(run) }
      run.atEnd { run.expectLog(["cancelled"]) }
    },
    Program("resolve against the end of the handle") { run in
      let (observer, source) = run.ownSubject()
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.thread { observer.drop() }
      run.expectNoWitness()
    },
    Program("resolve against two who drop the handle, one after a look") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (observers, source) = (run.share(promise, 2), run.own(resolver))
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.thread(with: observers[0]) { _ = $0.result?.text }
      run.thread { observers[1].drop() }
      run.expectNoWitness()
    },
    Program("resolve a chain against a drop of its end") { run in
      let (promise, source) = run.subject()
      let end = run.own(
        promise.map(on: .immediate) { Witness($0.read + 1) }.map(on: .immediate) { Witness($0.read + 1) })
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.thread(with: end) { if let result = $0.result { run.expect(result.text == "value 3", "wrong value") } }
      run.expectNoWitness()
    },
    Program("resolve a chain against register at its end") { run in
      let (promise, source) = run.subject()
      let end = run.own(promise.map(on: .immediate) { Witness($0.read + 1) })
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.thread(with: end) { $0.map(on: .immediate) { Witness($0.read + 1) }.observe(run) }
      run.expectAtEnd(["value 3"])
    },
    Program("a step that an executor runs on another thread") { run in
      let (observer, source) = run.ownSubject()
      let queue = WorkQueue()
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.thread(with: observer) { $0.map(on: .executor(queue)) { Witness($0.read + 1) }.observe(run) }
      run.thread { queue.runOne() }
      run.expectAtEnd(["value 2"])
    },
    Program("a step that an executor may drop") { run in
      let (promise, source) = run.subject()
      let queue = WorkQueue()
      promise.map(on: .executor(queue)) { Witness($0.read + 1) }.observe(run)
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.thread { queue.dropAll() }
      run.atEnd {
        queue.dropAll()
        run.expectLog(["cancelled"])
      }
      run.expectNoWitness()
    },
    Program("invalidate against resolve") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (source, token) = (run.own(resolver), run.own(PromiseInvalidationToken()))
      let before = PlainField("before invalidation")
      Scheduler.shared.adopt(before)
      let step = promise.withToken(token.value).map(on: .immediate) { witness in
        run.note("ran")
        return Witness(witness.read + 1)
      }.inner
      step.observe(run)
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.thread {
        Scheduler.shared.touch(before, .change)
        token.value.invalidate()
        run.note("invalidated")
        token.drop()
      }
      run.atEnd {
        Scheduler.shared.touch(before, .change)
        before.isEnded = true
        run.expect(run.log.contains("value 2") == run.log.contains("ran"), "the result is not that of the callback")
      }
      run.expectNoWitness()
    },
  ]

  /// A promise is resolved by one thread, and two others register something so many times each; it adds to the log.
  private static func twoRegister(in run: Run, times: Int, _ register: @escaping @Sendable (Subject) -> Void) {
    let (promise, resolver) = Subject.makeWithResolver()
    let (observers, source) = (run.share(promise, 2), run.own(resolver))
    run.thread(with: source) { $0.fulfill(with: Witness(1)) }
    for observer in observers {
      run.thread {
        for _ in 0..<times { register(observer.value) }
        observer.drop()
      }
    }
    run.atEnd { run.expectLog(Array(repeating: "value 1", count: 2 * times)) }
    run.expectNoWitness()
  }
}
