@testable import Overmorrow

/// A producer that remembers what it has been told.
private final class Work: PromiseSuspendable, @unchecked Sendable {
  private(set) var isSuspended = false
  private(set) var timesSuspended = 0
  private(set) var isCancelled = false
  private var isBeingTold = false
  private let run: Run

  init(_ run: Run) { self.run = run }

  private func tell(_ body: () -> Void) {
    run.expect(!isBeingTold && !isCancelled, "told by two at a time, or after the end")
    isBeingTold = true
    body()
    isBeingTold = false
  }

  func suspend() {
    tell {
      run.expect(!isSuspended, "suspended twice")
      isSuspended = true
      timesSuspended += 1
    }
  }

  func resume() {
    tell {
      run.expect(isSuspended, "resumed twice")
      isSuspended = false
    }
  }

  func cancel() { tell { isCancelled = true } }
}

extension Program {
  static let suspending: [Program] = [
    Program("suspend against resolve") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (observer, source) = (run.own(promise), run.own(resolver))
      promise.observe(run)
      run.thread {
        source.value.fulfill(with: Witness(1))
        source.drop()
      }
      run.thread { observer.value.suspend() }
      run.atEnd {
        run.expect(run.log.isEmpty == observer.value.isSuspended, "it is neither held nor delivered")
        observer.value.resume()
        observer.drop()
        run.expectLog(["value 1"])
      }
      run.expectNoWitness()
    },
    Program("suspend and resume against resolve") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (observer, source) = (run.own(promise), run.own(resolver))
      promise.observe(run)
      run.thread {
        source.value.fulfill(with: Witness(1))
        source.drop()
      }
      run.thread {
        observer.value.suspend()
        observer.value.resume()
        observer.drop()
      }
      run.atEnd { run.expectLog(["value 1"]) }
      run.expectNoWitness()
    },
    Program("suspend and drop against resolve") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (observer, source) = (run.own(promise), run.own(resolver))
      promise.observe(run)
      run.thread {
        source.value.fulfill(with: Witness(1))
        source.drop()
      }
      run.thread {
        observer.value.suspend()
        observer.drop()
      }
      run.atEnd { run.expectLog(["value 1"]) }
      run.expectNoWitness()
    },
    Program("a step is suspended against resolve of its source") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let source = run.own(resolver)
      let step = run.own(promise.map(on: .immediate) { Witness($0.read + 1) })
      step.value.observe(run)
      run.thread {
        source.value.fulfill(with: Witness(1))
        source.drop()
      }
      run.thread {
        step.value.suspend()
        step.value.resume()
        step.drop()
      }
      run.atEnd { run.expectLog(["value 2"]) }
      run.expectNoWitness()
    },
    Program("a step is suspended against register on its source") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (source, observer) = (run.own(resolver), run.own(promise))
      let step = run.own(promise.map(on: .immediate) { Witness($0.read + 1) })
      run.thread { step.value.suspend() }
      run.thread {
        observer.value.observe(run)
        observer.drop()
      }
      run.atEnd {
        source.value.fulfill(with: Witness(1))
        source.drop()
        run.expectLog(["value 1"])
        step.value.resume()
        run.expect(step.value.result?.text == "value 2", "the step is lost")
        step.drop()
      }
      run.expectNoWitness()
    },
    Program("both children are suspended") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (source, observer) = (run.own(resolver), run.own(promise))
      let work = Work(run)
      resolver.attach(work)
      let steps = (0..<2).map { _ in run.own(promise.map(on: .immediate) { Witness($0.read + 1) }) }
      run.thread { steps[0].value.suspend() }
      run.thread { steps[1].value.suspend() }
      run.atEnd {
        run.expect(observer.value.isSuspended && work.isSuspended, "the source goes on")
        steps[0].value.resume()
        run.expect(!observer.value.isSuspended && !work.isSuspended, "the source does not go on")
        source.value.fulfill(with: Witness(1))
        source.drop()
        observer.drop()
        steps[1].value.resume()
        for step in steps {
          run.expect(step.value.result?.text == "value 2", "a step is lost")
          step.drop()
        }
      }
      run.expectNoWitness()
    },
    Program("a child is suspended while another one is made") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (observers, source) = (run.share(promise, 2), run.own(resolver))
      let child = run.own(promise.makeChild())
      run.thread { child.value.suspend() }
      run.thread { observers[0].value.observe(run) }
      run.atEnd {
        run.expect(!observers[1].value.isSuspended, "suspended, although somebody waits who is not")
        source.value.fulfill(with: Witness(1))
        run.expectLog(["value 1"])
        for observer in observers { observer.drop() }
        child.drop()
        source.drop()
      }
      run.expectNoWitness()
    },
    Program("one child is suspended while the other one asks to cancel") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (source, observer) = (run.own(resolver), run.own(promise))
      let steps = (0..<2).map { _ in run.own(promise.map(on: .immediate) { Witness($0.read + 1) }) }
      run.thread { steps[0].value.suspend() }
      run.thread { steps[1].value.requestCancel() }
      run.atEnd {
        run.expect(observer.value.isSuspended, "the source goes on, though nobody waits who is not suspended")
        steps[0].value.resume()
        source.value.fulfill(with: Witness(1))
        source.drop()
        observer.drop()
        for step in steps { step.drop() }
      }
      run.expectNoWitness()
    },
    Program("a child that has been asked is suspended, beside another one") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let source = run.own(resolver)
      let work = Work(run)
      resolver.attach(work)
      let child = run.own(promise.map(on: .immediate) { Witness($0.read + 1) })
      let others = run.share(promise.makeChild(), 2)
      child.value.requestCancel()
      run.thread {
        child.value.suspend()
        child.drop()
      }
      run.thread {
        others[0].value.observe(run)
        others[0].drop()
      }
      run.atEnd {
        run.expect(work.timesSuspended == 0, "the producer was suspended though a child waits that is not")
        source.value.fulfill(with: Witness(1))
        source.drop()
        others[1].drop()
        run.expectLog(["value 1"])
      }
      run.expectNoWitness()
    },
    Program("suspend against a request") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (source, observers) = (run.own(resolver), run.share(promise, 2))
      run.thread {
        observers[0].value.suspend()
        observers[0].drop()
      }
      run.thread { observers[1].value.requestCancel() }
      run.atEnd {
        run.expect(observers[1].value.result?.text == "cancelled", "a suspended promise does not answer a request")
        observers[1].drop()
        source.drop()
      }
    },
    Program("suspend a step against a request, with the handle of the source gone") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let source = run.own(resolver)
      let steps = run.share(promise.map(on: .immediate) { Witness($0.read + 1) }, 2)
      run.thread {
        steps[0].value.suspend()
        steps[0].drop()
      }
      run.thread { steps[1].value.requestCancel() }
      run.atEnd {
        run.expect(steps[1].value.result?.text == "cancelled", "a suspended step does not answer a request")
        steps[1].drop()
        source.drop()
      }
    },
    Program("suspend against a request and resolve", .bounded(preemptions: 2, stale: 1)) { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (source, observers) = (run.own(resolver), run.share(promise, 2))
      promise.observe(run)
      run.thread {
        observers[0].value.suspend()
        observers[0].drop()
      }
      run.thread {
        observers[1].value.requestCancel()
        observers[1].drop()
      }
      run.thread {
        source.value.fulfill(with: Witness(1))
        source.drop()
      }
      run.atEnd { run.expectLog(["value 1"], ["cancelled"]) }
      run.expectNoWitness()
    },
    Program("suspend against adopt") { run in
      let (outer, outerResolver) = Subject.makeWithResolver()
      let (inner, innerResolver) = Subject.makeWithResolver()
      let (adopter, source) = (run.own(outerResolver), run.own(innerResolver))
      let (adopted, observer) = (run.own(inner), run.own(outer))
      outer.observe(run)
      run.thread {
        adopter.value.resolve(with: adopted.value)
        adopter.drop()
      }
      run.thread { observer.value.suspend() }
      run.atEnd {
        run.expect(adopted.value.isSuspended, "what a suspended promise adopts goes on")
        adopted.drop()
        source.value.fulfill(with: Witness(1))
        source.drop()
        run.expectLog([])
        observer.value.resume()
        observer.drop()
        run.expectLog(["value 1"])
      }
      run.expectNoWitness()
    },
    Program("resume an adopter that has a handler against a request") { run in
      let (inner, inside) = Subject.makeWithResolver()
      let (promise, resolver) = Subject.makeWithResolver()
      resolver.onRequestCancel(on: .immediate) { _ in run.count("asked") }
      resolver.resolve(with: inner)
      inner.suspend()
      let (adopted, source) = (run.own(inner), run.own(inside))
      let observers = run.share(promise, 2)
      _ = consume resolver
      run.thread {
        observers[0].value.requestCancel()
        observers[0].drop()
      }
      run.thread {
        observers[1].value.resume()
        observers[1].drop()
      }
      run.atEnd {
        run.expectLog(["asked"])
        run.expect(!adopted.value.isSuspended, "what it adopts has not been resumed")
        source.value.fulfill(with: Witness(1))
        adopted.drop()
        source.drop()
      }
      run.expectNoWitness()
    },
    Program("adopt what is suspended by its observer, against the suspension") { run in
      let (inner, inside) = Subject.makeWithResolver()
      let (promise, resolver) = Subject.makeWithResolver()
      let child = run.own(inner.makeChild())
      let (adopted, source) = (run.own(inner), run.own(inside))
      let (adopter, adopting) = (run.own(promise), run.own(resolver))
      run.thread { child.value.suspend() }
      run.thread {
        adopting.value.resolve(with: adopted.value)
        adopting.drop()
      }
      run.atEnd {
        run.expect(!adopted.value.isSuspended, "suspended, although an adopter waits that is not")
        source.value.fulfill(with: Witness(1))
        run.expect(adopter.value.result != nil, "the adopter has not been resolved")
        child.drop()
        adopted.drop()
        source.drop()
        adopter.drop()
      }
      run.expectNoWitness()
    },
    Program("suspend and resume an adopter against resolve", .bounded(preemptions: 3, stale: 1)) { run in
      let (outer, outerResolver) = Subject.makeWithResolver()
      let (inner, innerResolver) = Subject.makeWithResolver()
      outerResolver.resolve(with: inner)
      let (source, observer) = (run.own(innerResolver), run.own(outer))
      outer.observe(run)
      run.thread {
        observer.value.suspend()
        observer.value.resume()
        observer.drop()
      }
      run.thread {
        source.value.fulfill(with: Witness(1))
        source.drop()
      }
      run.atEnd { run.expectLog(["value 1"]) }
      run.expectNoWitness()
    },
    Program("suspend against a producer that is attached") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (source, observer) = (run.own(resolver), run.own(promise))
      let work = Work(run)
      run.thread { source.value.attach(work) }
      run.thread { observer.value.suspend() }
      run.atEnd {
        run.expect(work.isSuspended, "the producer has not been told")
        observer.value.resume()
        run.expect(!work.isSuspended, "the producer has not been told to go on")
        observer.drop()
        source.drop()
      }
    },
    Program("suspend against resume, with a producer", .bounded(preemptions: 3, stale: 1)) { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (source, observers) = (run.own(resolver), run.share(promise, 2))
      let work = Work(run)
      resolver.attach(work)
      run.thread { observers[0].value.suspend() }
      run.thread { observers[1].value.resume() }
      run.atEnd {
        run.expect(work.isSuspended == observers[0].value.isSuspended, "the producer was told what is not true")
        observers[0].value.resume()
        for observer in observers { observer.drop() }
        source.drop()
      }
    },
    Program("suspend against a request, with a producer") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (source, observers) = (run.own(resolver), run.share(promise, 2))
      let work = Work(run)
      resolver.attach(work)
      run.thread { observers[0].value.suspend() }
      run.thread { observers[1].value.requestCancel() }
      run.atEnd {
        run.expect(work.isCancelled, "the producer has not been told")
        for observer in observers { observer.drop() }
        source.drop()
      }
    },
  ]
}
