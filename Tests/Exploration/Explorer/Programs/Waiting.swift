@testable import Overmorrow

extension Program {
  static let waiting: [Program] = [
    Program("a blocking wait against resolve") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (observer, source) = (run.own(promise), run.own(resolver))
      run.thread {
        run.expect((try? observer.value.waitForResult())?.text == "value 1", "the wait has ended without the result")
        observer.drop()
      }
      run.thread {
        source.value.fulfill(with: Witness(1))
        source.drop()
      }
      run.expectNoWitness()
    },
    Program("a task's wait against resolve and the task's end") { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (observer, source) = (run.own(promise), run.own(resolver))
      typealias Operations = StepOperations<AlwaysStep<Witness, Never>>
      let step = PromiseHandle.makeStep(
        words: Operations.words, traits: Operations.traits, on: .immediate, gate: nil,
        operations: { Operations.perform($0, $1, $2) })
      let callback: @Sendable (PromiseResult<Witness, Never>) -> Void = { run.count($0.text) }
      step.core.write(callback)
      let waits = run.share(TaskWait(step), 2)
      run.thread {
        waits[0].value.start(on: observer.value.handle)
        observer.drop()
        waits[0].drop()
      }
      run.thread {
        waits[1].value.cancel()
        waits[1].drop()
      }
      run.thread {
        source.value.fulfill(with: Witness(1))
        source.drop()
      }
      run.atEnd { run.expectLog([], ["value 1"]) }
      run.expectNoWitness()
    },
    Program("all of two promises") { run in
      let links = (0..<2).map { _ in Subject.makeWithResolver() }
      let resolvers = links.map { run.own($0.1) }
      when(fulfilled: links.map(\.0)).always(on: .immediate) { result in
        if case .value(let values) = result { run.count("\(values.map(\.read))") } else { run.count("none") }
      }
      for (index, resolver) in resolvers.enumerated() {
        run.thread {
          resolver.value.fulfill(with: Witness(index))
          resolver.drop()
        }
      }
      run.atEnd { run.expectLog(["[0, 1]"]) }
      run.expectNoWitness()
    },
    Program("the first of two promises") { run in
      let links = (0..<2).map { _ in Subject.makeWithResolver() }
      let resolvers = links.map { run.own($0.1) }
      when(first: links.map(\.0)).always(on: .immediate) { run.count($0.text) }
      for (index, resolver) in resolvers.enumerated() {
        run.thread {
          resolver.value.fulfill(with: Witness(index))
          resolver.drop()
        }
      }
      run.atEnd { run.expectLog(["value 0"], ["value 1"]) }
      run.expectNoWitness()
    },
    Program("all of two promises against a request", .bounded(preemptions: 3, stale: 1)) { run in
      let links = (0..<2).map { _ in Subject.makeWithResolver() }
      let resolvers = links.map { run.own($0.1) }
      let all = run.own(when(fulfilled: links.map(\.0)))
      all.value.always(on: .immediate) { result in
        if case .value(let values) = result { run.count("\(values.map(\.read))") } else { run.count("cancelled") }
      }
      run.thread {
        resolvers[0].value.fulfill(with: Witness(0))
        resolvers[0].drop()
      }
      run.thread {
        all.value.requestCancel()
        all.drop()
      }
      run.atEnd {
        resolvers[1].value.fulfill(with: Witness(1))
        resolvers[1].drop()
        run.expectLog(["[0, 1]"], ["cancelled"])
      }
      run.expectNoWitness()
    },
  ]
}
