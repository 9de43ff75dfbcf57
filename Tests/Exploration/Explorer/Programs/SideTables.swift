@testable import Overmorrow

extension Program {
  /// The links of cores, and their side tables.
  static let sideTables: [Program] = [
    Program("a handler is added to an adopter against a request") { run in
      let chain = AdopterWithSource(run)
      run.thread(with: run.own(chain.resolver)) { $0.onRequestCancel(on: .immediate) { _ in run.count("asked") } }
      run.thread(with: chain.adopter) { $0.requestCancel() }
      run.expectAtEnd(["asked"])
      run.expectRequestAtEnd(of: chain.source)
    },
    Program("a handler is added to an adopter against a request and the result", .narrow) { run in
      let chain = AdopterWithSource(run)
      run.thread(with: run.own(chain.resolver)) { $0.onRequestCancel(on: .immediate) { _ in run.count("asked") } }
      run.thread(with: chain.adopter) { $0.requestCancel() }
      run.thread { chain.fulfil() }
      run.expectAtEnd([], ["asked"])
    },
    Program("a handler is added to a promise with a handler, against a request and resolve", .narrow) { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (observer, sources) = (run.own(promise), run.share(resolver, 2))
      resolver.onRequestCancel(on: .immediate) { _ in run.count("first") }
      run.thread(with: sources[0]) { $0.onRequestCancel(on: .immediate) { _ in run.count("second") } }
      run.thread(with: observer) { $0.requestCancel() }
      run.thread(with: sources[1]) { $0.fulfill(with: Witness(1)) }
      run.atEnd { run.expect(Set(run.log).count == run.log.count, "a handler has run twice") }
    },
    Program("the last resolver goes while two ask, with a handler that answers", .narrow) { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (observers, source) = (run.share(promise, 2), run.own(resolver))
      resolver.onRequestCancel(on: .immediate) { $0.fulfill(with: Witness(1)) }
      promise.observe(run)
      run.thread { source.drop() }
      for observer in observers {
        run.thread(with: observer) { $0.requestCancel() }
      }
      run.expectAtEnd(["value 1"])
    },
    Program("a cancellable asks while the promise ends") { run in
      let (observer, source) = run.ownSubject()
      let cancellable = run.own(observer.value.cancellable)
      run.thread(with: cancellable) { $0.requestCancel() }
      run.thread {
        source.drop()
        observer.drop()
      }
    },
    Program("a cancellable asks a child while its last handle is dropped") { run in
      let (parent, source) = run.ownSubject()
      let child = parent.value.makeChild()
      let (observer, cancellable) = (run.own(child), run.own(child.cancellable))
      run.thread(with: cancellable) { $0.requestCancel() }
      run.thread { observer.drop() }
      run.atEnd {
        run.expect(parent.value.handle.core.hasNoLiveWaiter, "a child that nothing can observe stays in the list")
      }
    },
    Program("a child ends, and with it its parent, while the source resolves") { run in
      let (promise, source) = run.subject()
      let child = run.own(promise.makeChild().makeChild())
      run.thread(with: child) { $0.requestCancel() }
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
    },
    Program("a handler asks another promise, whose request goes on after that, while the source resolves") { run in
      let (promise, source) = run.subject()
      let child = promise.makeChild()
      let cancellable = child.cancellable
      let (other, otherResolver) = Subject.makeWithResolver()
      otherResolver.onRequestCancel(on: .immediate) { _ in cancellable.requestCancel() }
      let (asked, kept, observer) = (run.own(other), run.own(otherResolver), run.own(child))
      run.thread(with: asked) { $0.requestCancel() }
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
    },
    Program("a request and a look at what is waited for, while that delivers") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (source, children) = (run.own(resolver), run.share(promise.map(on: .immediate) { $0 }, 2))
      run.thread(with: children[0]) { $0.requestCancel() }
      run.thread(with: children[1]) { $0.lookUpstream() }
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
    },
    Program("two requests to a core with a side table, while what it waits for delivers", .narrow) { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (source, children) = (run.own(resolver), run.share(promise.map(on: .immediate) { $0 }, 2))
      children[0].value.lookUpstream()
      for child in children {
        run.thread(with: child) { $0.requestCancel() }
      }
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
    },
    Program("a request and a look at a step that ends before its source") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let step = promise.makeChild()
      let (source, steps) = (run.own(resolver), run.share(step, 2))
      let ending = WaitingStep(step)
      run.thread(with: steps[0]) { $0.requestCancel() }
      run.thread(with: steps[1]) { $0.lookUpstream() }
      run.thread { [ending] in ending.end(with: nil) }
      run.atEnd { source.value.fulfill(with: Witness(1)) }
    },
  ]

  /// Those who come while a result is handed out.
  static let newcomers: [Program] = [
    Program("a drainer takes a second list, and leaves what comes then to a queue") { run in
      let (observer, source) = run.ownSubject()
      observer.value.count("1", "2", in: run)
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.thread(with: observer) { $0.count("a", "b", in: run) }
      run.expectAtEnd(inAnyOrder: ["1", "2", "a", "b"])
    },
    Program("a queue goes on for a drainer while others come", .narrow) { run in
      let (observer, source) = run.ownSubject()
      let list = OrderList(run)
      observer.value.count("1", "2", in: run, on: list)
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.thread(with: observer) { $0.count("3", "4", "5", in: run, on: list) }
      run.thread { run.queue.runAll() }
      run.atEnd { list.runAll() }
      run.expectAtEnd(["1", "2", "3", "4", "5"])
    },
  ]
}

/// A promise that adopts another one, which a resolver resolves.
private struct AdopterWithSource {
  let source: Owned<Subject.Resolver>
  let adopter: Owned<Subject>
  let resolver: Subject.Resolver

  init(_ run: Run) {
    let (inner, outer): (Subject, Subject)
    (inner, source) = run.subject()
    (outer, resolver) = Subject.makeWithResolver()
    resolver.resolve(with: inner)
    adopter = run.own(outer)
  }

  func fulfil() {
    source.value.fulfill(with: Witness(1))
    source.drop()
  }
}

extension Promise {
  /// Looks at what the promise waits for, as one who looks for a cycle.
  fileprivate func lookUpstream() {
    let upstream = handle.core.upstream()
    for core in upstream.all { _ = core.state }
  }
}
