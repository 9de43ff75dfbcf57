@testable import Overmorrow
@testable import OvermorrowEngine

extension Program {
  static let cancelling: [Program] = [
    Program("a request races with resolving and with the cancel handler's cancellation") { run in
      let (observer, source) = run.ownSubject(complying: true)
      observer.value.observe(run)
      run.race(source.fulfil, observer.requestCancel)
      run.expectAtEnd(["value 1"], ["asked", "cancelled"], ["asked", "value 1"], ["value 1", "asked"])
    },
    Program("a request races with registering a handler") { run in
      // One of the resolvers is retained until the end.
      let (observers, sources) = run.share(sources: 2)
      run.thread(with: sources[0]) {
        $0.onRequestCancel(on: .immediate) { _ in run.record("first") }
        $0.onRequestCancel(on: .immediate) { _ in run.record("second") }
      }
      run.thread(with: observers[0]) { $0.requestCancel() }
      run.expectAtEnd(inAnyOrder: ["first", "second"])
    },
    Program("a handler is registered after a request while the promise is cancelled") { run in
      let (observers, sources) = run.share(sources: 2)
      observers[0].value.requestCancel()
      run.race({ sources[0].handle("asked", in: run) }, sources[1].cancel)
      run.expectAtEnd(["asked"])
    },
    Program("a handler registered after a request sees the writes before the request") { run in
      // One of the resolvers is retained until the end.
      let (observers, sources) = run.share(sources: 2)
      let witness = Witness(1)
      run.thread(with: observers[0]) {
        witness.write()
        $0.requestCancel()
      }
      run.thread(with: sources[0]) { $0.onRequestCancel(on: .immediate) { _ in run.record("asked \(witness.read)") } }
      run.expectAtEnd(["asked 1"])
    },
    Program("polling hasRequestedCancel sees the writes before the request") { run in
      let (observer, source) = run.ownSubject()
      let witness = Witness(1)
      run.thread {
        witness.write()
        observer.value.requestCancel()
      }
      run.thread { if source.value.hasRequestedCancel { _ = witness.read } }
      run.atEnd { source.value.cancel() }
    },
    Program("a handler sees the writes before the requests of all children") { run in
      let (promise, source) = run.subject()
      let children = [run.own(promise.makeChild()), run.own(promise.makeChild())]
      let witnesses = [Witness(1), Witness(2)]
      source.value.onRequestCancel(on: .immediate) { _ in run.record("asked \(witnesses.map(\.read))") }
      _ = consume promise
      for (child, witness) in zip(children, witnesses) {
        run.thread(with: child) {
          witness.write()
          $0.requestCancel()
        }
      }
      run.expectAtEnd(["asked [1, 2]"])
    },
    Program("a handler is registered while the promise resolves") { run in
      let (_, sources) = run.share(sources: 2)
      run.thread(with: sources[0]) { $0.fulfill(with: Witness(1)) }
      run.thread(with: sources[1]) {
        $0.onRequestCancel(on: .immediate) { [witness = Witness(7)] _ in _ = witness.read }
      }
      // Only the result remains.
      run.expectAtEnd(Witness.alive == 1, "the handler is kept by a promise that has resolved")
    },
    Program("both children request cancellation while the last handle is released") { run in
      let (promise, source) = run.subject(complying: true)
      let children = [run.own(promise.map(on: .immediate) { $0 }), run.own(promise.map(on: .immediate) { $0 })]
      let sealed = run.own(promise)
      run.race(children[0].requestCancel, children[1].requestCancel, sealed.drop)
      run.expectAtEnd(["asked"])
    },
    Program("a child's request races with registering a sibling") { run in
      let (promise, source) = run.subject(complying: true)
      let child = run.own(promise.map(on: .immediate) { $0 })
      let parent = run.own(promise)
      run.race(child.requestCancel, { parent.use { $0.observe(run) } })
      run.atEnd { source.value.fulfill(with: Witness(1)) }
      run.expectAtEnd(["value 1"])
    },
    Program("a child's request races with releasing the parent's handle") { run in
      let (promise, source) = run.subject(complying: true)
      let child = run.own(promise.map(on: .immediate) { $0 })
      let parent = run.own(promise)
      run.race(child.requestCancel, parent.drop)
      run.expectAtEnd(["asked"])
    },
    Program("a child requests cancellation while its source delivers") { run in
      let (promise, source) = run.subject()
      let child = run.own(promise.map(on: .immediate) { Witness($0.read + 1) })
      child.value.observe(run)
      run.race(source.fulfil, child.requestCancel)
      run.expectAtEnd(["value 2"])
    },
    Program("a child of a chain requests cancellation while the source delivers") { run in
      let (promise, source) = run.subject(complying: true)
      let child = run.own(promise.map(on: .immediate) { $0 }.map(on: .immediate) { $0 })
      child.value.observe(run)
      run.race(source.fulfil, child.requestCancel)
      run.expectAtEnd(["value 1"], ["asked", "value 1"], ["value 1", "asked"], ["asked", "cancelled"])
    },
    Program("the resolver is dropped during a request whose handler resolves") { run in
      let (observer, source) = run.ownSubject()
      source.value.onRequestCancel(on: .immediate) { $0.fulfill(with: Witness(1)) }
      observer.value.observe(run)
      run.race(source.drop, observer.requestCancel)
      run.expectAtEnd(["value 1"], ["cancelled"])
    },
    Program("dropping the resolver, with a handler that resolves, races with dropping the handle") { run in
      let (observer, source) = run.ownSubject()
      source.value.onRequestCancel(on: .immediate) { $0.fulfill(with: Witness(1)) }
      run.race(source.drop, observer.drop)
    },
    Program("the resolver and the handle are dropped during a child's request to two handlers") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      for _ in 0..<2 { resolver.onRequestCancel(on: .immediate) { $0.fulfill(with: Witness(1)) } }
      let (observer, source) = (run.own(promise), run.own(resolver))
      promise.tap(on: .immediate) { run.record($0.text) }
      let child = run.own(promise.map(on: .immediate) { $0 })
      child.value.requestCancel()
      run.race(source.drop, observer.drop, child.drop)
      run.expectAtEnd(["value 1"], ["cancelled"])
    },
    Program("a handler that keeps the promise pending is registered while the last handle is released") { run in
      let (observer, source) = run.ownSubject()
      observer.value.observe(run)
      run.thread(with: source) {
        PromiseAdapter.onRequestCancelWhileHeld($0, on: .immediate) { [witness = Witness(1)] _ in _ = witness.read }
      }
      run.thread { observer.drop() }
      run.expectAtEnd(["cancelled"])
    },
    Program("a request to a handler that keeps the promise pending races with dropping the handle") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      PromiseAdapter.onRequestCancelWhileHeld(resolver, on: .immediate) { $0.fulfill(with: Witness(1)) }
      _ = consume resolver
      promise.tap(on: .immediate) { run.record($0.text) }
      let child = run.own(promise.map(on: .immediate) { $0 })
      let observer = run.own(promise)
      run.race(child.requestCancel, observer.drop)
      run.expectAtEnd(["value 1"], ["cancelled"])
    },
    Program("a cancellable's request races with the end of the promise") { run in
      let (observer, source) = run.ownSubject()
      let cancellable = run.own(observer.value.cancellable)
      run.race(cancellable.requestCancel, source.fulfil, observer.drop)
    },
    Program("invalidating a token races with resolving and with releasing the handle") { run in
      let (observer, source) = run.ownSubject()
      let token = run.own(PromiseInvalidationToken())
      token.value.requestCancelOnInvalidate(observer.value)
      run.race(token.drop, source.fulfil, observer.drop)
    },
    Program("reading hasRequestedCancel races with a request and with cancelling") { run in
      let (observers, sources) = run.share(sources: 2)
      run.thread(with: observers[0]) { $0.requestCancel() }
      run.thread(with: sources[0]) {
        let (first, second) = ($0.hasRequestedCancel, $0.hasRequestedCancel)
        run.expect(
          !first || second || sources[1].value.object.isUnresolved == false,
          "hasRequestedCancel has become false although the promise is unresolved")
      }
      run.thread(with: sources[1]) { $0.cancel() }
    },
    Program("propagating cancellation races with resolving") { run in
      let (promise, source) = run.subject()
      let shared = run.own(promise.propagatingCancellation(on: .immediate) { _ in run.record("propagated") })
      let child = run.own(shared.value.makeChild())
      run.race(child.requestCancel, source.fulfil)
      run.atEnd { shared.drop() }
      run.expectAtEnd([], ["propagated"])
    },
    Program("propagating cancellation races with another child") { run in
      let (promise, source) = run.subject()
      let shared = promise.propagatingCancellation(on: .immediate) { _ in run.record("propagated") }
      let child = run.own(shared.makeChild())
      let owner = run.own(shared)
      run.race(child.requestCancel, { owner.use { $0.observe(run) } })
      run.atEnd { source.value.fulfill(with: Witness(1)) }
      run.expectAtEnd(run.log.contains("value 1"), "the result is lost")
    },
  ]
}
