@testable import Overmorrow
@testable import OvermorrowEngine

extension Program {
  /// The links of cores, and their side tables.
  static let sideTables: [Program] = [
    Program("adding a handler to an adopter races with a request") { run in
      let (inner, source) = run.subject()
      let (adopter, resolver) = run.ownSubject()
      resolver.value.resolve(with: inner)
      run.race({ resolver.handle("asked", in: run) }, adopter.requestCancel)
      run.expectAtEnd(["asked"])
      run.expectRequestAtEnd(of: source)
    },
    Program("adding a handler to an adopter races with a request and with the result", .narrow) { run in
      let (inner, source) = run.subject()
      // One of the resolvers is retained until the end.
      let (adopters, resolvers) = run.share(sources: 2)
      resolvers[0].value.resolve(with: inner)
      run.race({ resolvers[0].handle("asked", in: run) }, adopters[0].requestCancel, source.fulfil)
      run.expectAtEnd([], ["asked"])
    },
    Program("adding a second handler races with a request and with resolving", .narrow) { run in
      let (observers, sources) = run.share(sources: 2)
      sources[0].value.onRequestCancel(on: .immediate) { _ in run.record("first") }
      run.race({ sources[0].handle("second", in: run) }, observers[0].requestCancel, sources[1].fulfil)
      run.expectAtEnd(Set(run.log).count == run.log.count, "a handler has run twice")
    },
    Program("the last resolver is released during two requests whose handler resolves", .narrow) { run in
      let (observers, sources) = run.share(observers: 2)
      sources[0].value.onRequestCancel(on: .immediate) { $0.fulfill(with: Witness(1)) }
      observers[0].value.observe(run)
      run.race(sources[0].drop, observers[0].requestCancel, observers[1].requestCancel)
      run.expectAtEnd(["value 1"], ["cancelled"])
    },
    Program("a cancellable requests cancellation while the promise ends") { run in
      let (observer, source) = run.ownSubject()
      let cancellable = run.own(observer.value.cancellable)
      run.thread(with: cancellable) { $0.requestCancel() }
      run.thread {
        source.drop()
        observer.drop()
      }
    },
    Program("a cancellable requests cancellation of a child while its last handle is dropped") { run in
      let (parent, source) = run.ownSubject()
      let child = parent.value.makeChild()
      let (observer, cancellable) = (run.own(child), run.own(child.cancellable))
      run.race(cancellable.requestCancel, observer.drop)
      run.expectAtEnd(parent.value.handle.core.hasNoLiveWaiter, "a child that nothing can observe stays in the list")
    },
    Program("a child and its parent end while the source resolves") { run in
      let (promise, source) = run.subject()
      let child = run.own(promise.makeChild().makeChild())
      run.race(child.requestCancel, source.fulfil)
    },
    Program("a handler requests cancellation of another promise while that promise's source resolves") { run in
      let (promise, source) = run.subject()
      let observer = run.own(promise.makeChild())
      let cancellable = observer.value.cancellable
      let (asked, kept) = run.ownSubject()
      kept.value.onRequestCancel(on: .immediate) { _ in cancellable.requestCancel() }
      run.race(asked.requestCancel, source.fulfil)
    },
    Program("a request races with a search for cycles while the source delivers") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (source, children) = (run.own(resolver), run.share(promise.map(on: .immediate) { $0 }, 2))
      run.race(children[0].requestCancel, { children[1].use { $0.readUpstream() } }, source.fulfil)
    },
    Program("two requests to a core with a side table race while its source delivers", .narrow) { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (source, children) = (run.own(resolver), run.share(promise.map(on: .immediate) { $0 }, 2))
      children[0].value.readUpstream()
      run.race(children[0].requestCancel, children[1].requestCancel, source.fulfil)
    },
    Program("a request races with a search for cycles at a step that ends before its source") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let step = promise.makeChild()
      let (source, steps) = (run.own(resolver), run.share(step, 2))
      let ending = WaitingStep(step.handle) { step, _ in step.end(with: Witness?.none) }
      run.race(
        steps[0].requestCancel, { steps[1].use { $0.readUpstream() } },
        { [ending] in ending.rejectBeforeSource() })
      run.atEnd { source.value.fulfill(with: Witness(1)) }
    },
  ]

  /// Observers that are registered while a result is being delivered.
  static let newcomers: [Program] = [
    Program("a drainer takes a second list and leaves later waiters to a queue") { run in
      let (observer, source) = run.ownSubject()
      observer.value.record("1", "2", in: run)
      run.race(source.fulfil, { observer.use { $0.record("a", "b", in: run) } })
      run.expectAtEnd(inAnyOrder: ["1", "2", "a", "b"])
    },
    Program("a queue continues for a drainer while more waiters are registered", .narrow) { run in
      let (observer, source) = run.ownSubject()
      let list = OrderList(run)
      observer.value.record("1", "2", in: run, on: list)
      run.race(source.fulfil, { observer.use { $0.record("3", "4", "5", in: run, on: list) } }, run.queue.runAll)
      run.atEnd { list.runAll() }
      run.expectAtEnd(["1", "2", "3", "4", "5"])
    },
  ]
}

extension Promise {
  /// Reads the promises upstream, as the search for cycles does.
  fileprivate func readUpstream() {
    let upstream = handle.core.upstream()
    for core in upstream.all { _ = core.state }
  }
}
