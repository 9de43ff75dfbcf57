@testable import Overmorrow
@testable import OvermorrowEngine

extension Program {
  static let adopting: [Program] = [
    Program("a request reaches a promise that is being adopted") { run in
      let (adopted, source) = run.ownSubject(complying: true)
      let (observer, adopting) = run.ownSubject()
      run.thread { observer.value.requestCancel() }
      run.thread {
        adopting.use { $0.resolve(with: adopted.value) }
        adopted.drop()
      }
      run.expectAtEnd(["asked"])
      run.expectAtEnd(observer, "cancelled")
    },
    Program("adopting races with resolving") { run in
      let (outer, adopter) = run.subject()
      let (adopted, source) = run.ownSubject()
      outer.observe(run)
      run.race({ adopter.adopt(adopted) }, source.fulfil)
      run.expectAtEnd(["value 1"])
    },
    Program("adopting races with resolving and with registering") { run in
      let (observer, adopter) = run.ownSubject()
      let (adopted, source) = run.ownSubject()
      run.race({ adopter.adopt(adopted) }, source.fulfil, { observer.use { $0.observe(run) } })
      run.expectAtEnd(["value 1"])
    },
    Program("a step returns a promise that is being resolved") { run in
      let (promise, first) = run.subject()
      let (inner, second) = run.subject()
      promise.flatMap(on: .immediate) { [inner] _ in inner }.observe(run)
      run.race(first.fulfil, { second.use { $0.fulfill(with: Witness(2)) } })
      run.expectAtEnd(["value 2"])
    },
    Program("adopting races with a request") { run in
      let (observer, adopter) = run.ownSubject()
      let (adopted, source) = run.ownSubject(complying: true)
      observer.value.observe(run)
      run.race({ adopter.adopt(adopted) }, observer.requestCancel)
      run.expectAtEnd(["asked", "cancelled"])
    },
    Program("adopting races with a request and with resolving") { run in
      let (observer, adopter) = run.ownSubject()
      let (adopted, source) = run.ownSubject()
      observer.value.observe(run)
      run.race({ adopter.adopt(adopted) }, observer.requestCancel, source.fulfil)
      run.expectAtEnd(["value 1"])
    },
    Program("adopting races with a request and with adding a handler") { run in
      let (observers, adopters) = run.share(sources: 2)
      let (adopted, source) = run.ownSubject()
      run.race({ adopters[0].adopt(adopted) }, { adopters[1].handle("asked", in: run) }, observers[0].requestCancel)
      run.expectAtEnd(["asked"])
      run.expectRequestAtEnd(of: source)
    },
    Program("two threads close a cycle of two promises") { run in
      let (ones, one) = run.ownSubject()
      let (twos, two) = run.ownSubject()
      closeCycle(in: run, [one, two], with: [twos, ones])
    },
    Program("two threads close a cycle of two promises and their steps", .bounded(preemptions: 3, stale: 2)) { run in
      let (first, one) = run.subject()
      let (second, two) = run.subject()
      let (ones, twos) = (run.own(first.map(on: .immediate) { $0 }), run.own(second.map(on: .immediate) { $0 }))
      closeCycle(in: run, [one, two], with: [twos, ones])
    },
    Program("three threads close a cycle of three promises and a step", .bounded(preemptions: 3, stale: 2)) { run in
      // Each adopter was created before the promise that it adopts, and the step after its source.
      let (first, one) = run.subject()
      let (seconds, two) = run.ownSubject()
      let (thirds, three) = run.ownSubject()
      let step = run.own(first.map(on: .immediate) { $0 })
      closeCycle(in: run, [one, two, three], with: [seconds, thirds, step])
    },
    Program("three threads close a cycle of three promises", .narrow) { run in
      let links = (0..<3).map { _ in run.ownSubject() }
      closeCycle(in: run, links.map(\.1), with: [links[1].0, links[2].0, links[0].0])
    },
    Program("a cycle through a step is closed during a request") { run in
      let (observer, adopter) = run.ownSubject()
      let adopted = run.own(observer.value.map(on: .immediate) { $0 })
      run.race({ adopter.adoptWatched(adopted) }, observer.requestCancel)
      run.expectAtEnd(adopted, "cancelled")
    },
    Program("a step without a handle returns the promise that adopts it") { run in
      let (first, start) = run.subject()
      let later = Later()
      let step = first.flatMap(on: .immediate) { _ in later.take() }
      let outer = run.own(Subject(fulfilled: Witness(0)).flatMap(on: .immediate) { [step] _ in step })
      later.promise = outer.value
      run.race(start.fulfil, { outer.use { $0.observe(run) } })
      run.expectAtEnd(["cancelled"])
    },
    Program("an unobserved link is removed from a chain of adopters") { run in
      let chain = AdoptingChain(run)
      chain.outer.value.observe(run)
      run.race(chain.resolveMiddle, chain.middle.drop, chain.outer.requestCancel)
      run.atEnd { chain.source.value.fulfill(with: Witness(1)) }
      run.expectAtEnd(["value 1"])
    },
    Program("an observed link stays in a chain of adopters") { run in
      let chain = AdoptingChain(run)
      run.race(chain.resolveMiddle, { chain.middle.value.observe(run) })
      run.atEnd { chain.source.value.fulfill(with: Witness(1)) }
      run.expectAtEnd(["value 1"])
      run.expectAtEnd(chain.outer, "value 1")
    },
    Program("a request to a link of a chain races with removing the link") { run in
      let chain = AdoptingChain(run)
      run.race(chain.resolveMiddle, chain.middle.requestCancel)
      run.expectRequestAtEnd(of: chain.source)
    },
    Program("a request passes through a link that is being removed") { run in
      let chain = AdoptingChain(run)
      chain.middle.drop()
      run.race(chain.resolveMiddle, chain.outer.value.requestCancel)
      run.expectRequestAtEnd(of: chain.source)
    },
  ]

  /// Starts a thread for each resolver, which resolves its promise with another one, and then searches for a cycle as a
  /// watched promise does. Together the threads close a cycle, so all promises must be cancelled.
  private static func closeCycle(
    in run: Run, _ resolvers: [Owned<Subject.Resolver>], with promises: [Owned<Subject>]
  ) {
    for (resolver, promise) in zip(resolvers, promises) {
      run.thread { resolver.adoptWatched(promise) }
    }
    for promise in promises { run.expectAtEnd(promise, "cancelled") }
  }
}

/// A promise that a callback returns, and that is made after the callback.
private final class Later: @unchecked Sendable {
  var promise: Subject?

  /// Returns the promise, which this object no longer retains.
  func take() -> Subject { promise.take() ?? Subject(with: .cancelled) }
}

/// A step that adopts another step, which is about to adopt a third promise.
private struct AdoptingChain {
  let outer: Owned<Subject>
  let middle: Owned<Subject>
  /// The resolver of the third promise.
  let source: Owned<Subject.Resolver>
  private let adopted: Owned<Subject>
  private let start: Owned<Subject.Resolver>

  init(_ run: Run) {
    let first: Subject
    (first, start) = run.subject()
    (adopted, source) = run.ownSubject()
    let step = first.flatMap(on: .immediate) { [inner = adopted.value] _ in inner }
    outer = run.own(Subject(fulfilled: Witness(0)).flatMap(on: .immediate) { [step] _ in step })
    middle = run.own(step)
  }

  /// Runs the middle step, which adopts the third promise.
  func resolveMiddle() {
    start.fulfil()
    adopted.drop()
  }
}
