@testable import Overmorrow

extension Program {
  static let resuming: [Program] = [
    Program("resume against resolve") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (observer, source) = (run.own(promise), run.own(resolver))
      promise.observe(run)
      promise.suspend()
      run.thread {
        source.value.fulfill(with: Witness(1))
        source.drop()
      }
      run.thread {
        observer.value.resume()
        observer.drop()
      }
      run.atEnd { run.expectLog(["value 1"]) }
      run.expectNoWitness()
    },
    aStepIsResumed("a step is resumed against resolve of its source", "value 2") { $0.fulfill(with: Witness(1)) },
    aStepIsResumed("a step is resumed against a result that it does not want", "cancelled") { $0.cancel() },
    Program("a step is suspended and resumed while it is served", .bounded(preemptions: 3, stale: 0)) { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let source = run.own(resolver)
      let step = run.own(promise.map(on: .immediate) { Witness($0.read + 1) })
      run.thread { source.value.fulfill(with: Witness(1)) }
      run.thread {
        step.value.suspend()
        step.value.resume()
      }
      run.atEnd {
        run.expect(step.value.result?.text == "value 2", "the step is lost")
        step.drop()
        source.drop()
      }
      run.expectNoWitness()
    },
    Program("resume an adopter against resolve") { run in
      let (outer, outerResolver) = Subject.makeWithResolver()
      let (inner, innerResolver) = Subject.makeWithResolver()
      outerResolver.resolve(with: inner)
      // Another one waits for what is adopted, so that this is not suspended.
      inner.observe(run)
      outer.suspend()
      let (source, observer) = (run.own(innerResolver), run.own(outer))
      run.thread { observer.value.resume() }
      run.thread { source.value.fulfill(with: Witness(1)) }
      run.atEnd {
        run.expect(observer.value.result?.text == "value 1", "the adopter has no result")
        observer.drop()
        source.drop()
      }
      run.expectNoWitness()
    },
    Program("resume against adopt") { run in
      let (outer, outerResolver) = Subject.makeWithResolver()
      let (inner, innerResolver) = Subject.makeWithResolver()
      let (adopter, source) = (run.own(outerResolver), run.own(innerResolver))
      let (adopted, observer) = (run.own(inner), run.own(outer))
      outer.observe(run)
      outer.suspend()
      run.thread {
        adopter.value.resolve(with: adopted.value)
        adopted.drop()
        adopter.drop()
      }
      run.thread { observer.value.resume() }
      run.atEnd {
        source.value.fulfill(with: Witness(1))
        source.drop()
        observer.drop()
        run.expectLog(["value 1"])
      }
      run.expectNoWitness()
    },
    Program("resume against resolve, with a cancel handler") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (observer, source) = (run.own(promise), run.own(resolver))
      let (other, otherResolver) = Subject.makeWithResolver()
      let others = (run.own(other), run.own(otherResolver))
      resolver.onRequestCancel(on: .immediate) { _ in run.count("asked") }
      promise.observe(run)
      other.suspend()
      run.thread {
        source.value.fulfill(with: Witness(1))
        source.drop()
      }
      run.thread {
        observer.value.resume()
        observer.drop()
      }
      run.atEnd {
        run.expectLog(["value 1"])
        others.0.drop()
        others.1.drop()
      }
      run.expectNoWitness()
    },
  ]

  private static func aStepIsResumed(
    _ name: String, _ result: String, whileSourceResolves resolve: @escaping (Subject.Resolver) -> Void
  ) -> Program {
    Program(name) { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let source = run.own(resolver)
      let step = run.own(promise.map(on: .immediate) { Witness($0.read + 1) })
      step.value.observe(run)
      step.value.suspend()
      run.thread {
        resolve(source.value)
        source.drop()
      }
      run.thread {
        step.value.resume()
        step.drop()
      }
      run.atEnd { run.expectLog([result]) }
      run.expectNoWitness()
    }
  }
}
