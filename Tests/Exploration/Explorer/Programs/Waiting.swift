@testable import Overmorrow

extension Program {
  static let waiting: [Program] = [
    Program("a blocking wait against resolve") { run in
      let (observer, source) = run.ownSubject()
      run.thread {
        run.expect((try? observer.value.waitForResult())?.text == "value 1", "the wait has ended without the result")
        observer.drop()
      }
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.expectNoWitness()
    },
    Program("a task's wait against the task's end") { run in
      let (observer, source) = run.ownSubject()
      let waits = run.share(FinishingWait(TaskWait(noting: run, of: observer.value)), 2)
      run.thread(with: waits[0]) { $0.wait.start(run, on: observer.value) }
      run.thread(with: waits[1]) { $0.wait.cancel() }
      run.atEnd {
        run.expectLog([])
        source.value.fulfill(with: Witness(1))
        source.drop()
        observer.drop()
      }
      run.expectNoWitness()
    },
    Program("a task's wait against resolve and the task's end") { run in
      let (observer, source) = run.ownSubject()
      let waits = run.share(FinishingWait(TaskWait(noting: run, of: observer.value)), 2)
      run.thread {
        waits[0].value.wait.start(run, on: observer.value)
        observer.drop()
        waits[0].drop()
      }
      run.thread(with: waits[1]) { $0.wait.cancel() }
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
      run.expectAtEnd([], ["value 1"])
    },
    Program("all of two promises") { run in
      let links = (0..<2).map { _ in Subject.makeWithResolver() }
      let resolvers = links.map { run.own($0.1) }
      when(fulfilled: links.map(\.0)).always(on: .immediate) { result in
        if case .value(let values) = result { run.count("\(values.map(\.read))") } else { run.count("none") }
      }
      for (index, resolver) in resolvers.enumerated() {
        run.thread(with: resolver) { $0.fulfill(with: Witness(index)) }
      }
      run.expectAtEnd(["[0, 1]"])
    },
    Program("the first of two promises") { run in
      let links = (0..<2).map { _ in Subject.makeWithResolver() }
      let resolvers = links.map { run.own($0.1) }
      when(first: links.map(\.0)).always(on: .immediate) { run.count($0.text) }
      for (index, resolver) in resolvers.enumerated() {
        run.thread(with: resolver) { $0.fulfill(with: Witness(index)) }
      }
      run.expectAtEnd(["value 0"], ["value 1"])
    },
    Program("the first of two promises is adopted while it is decided", .bounded(preemptions: 3, stale: 1)) { run in
      // The adopter is older, so that everything upstream is looked at.
      let (outer, outerResolver) = Subject.makeWithResolver()
      let links = (0..<2).map { _ in Subject.makeWithResolver() }
      let sources = links.map { run.own($0.1) }
      let (adopter, adopted) = (run.own(outerResolver), run.own(when(first: links.map(\.0))))
      outer.observe(run)
      run.thread { adopter.adopt(adopted) }
      run.thread(with: sources[1]) { $0.fulfill(with: Witness(1)) }
      run.atEnd {
        run.expectLog(["value 1"])
        sources[0].drop()
      }
      run.expectNoWitness()
    },
    Program("a combinator is decided while the only other child asks", .bounded(preemptions: 3, stale: 1)) { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (second, secondResolver) = Subject.makeWithResolver()
      let (source, deciding, child) = (run.own(resolver), run.own(secondResolver), run.own(promise.makeChild()))
      when(first: [promise, second]).observe(run)
      run.thread(with: child) { $0.requestCancel() }
      run.thread(with: deciding) { $0.fulfill(with: Witness(2)) }
      run.atEnd {
        run.expectLog(["value 2"])
        run.expect(source.value.hasRequestedCancel, "the request has not arrived, though nobody waits")
        source.drop()
      }
      run.expectNoWitness()
    },
    Program("all of two promises against a request", .bounded(preemptions: 3, stale: 1)) { run in
      let links = (0..<2).map { _ in Subject.makeWithResolver() }
      let resolvers = links.map { run.own($0.1) }
      let all = run.own(when(fulfilled: links.map(\.0)))
      all.value.always(on: .immediate) { result in
        if case .value(let values) = result { run.count("\(values.map(\.read))") } else { run.count("cancelled") }
      }
      run.thread(with: resolvers[0]) { $0.fulfill(with: Witness(0)) }
      run.thread(with: all) { $0.requestCancel() }
      run.atEnd {
        resolvers[1].value.fulfill(with: Witness(1))
        resolvers[1].drop()
        run.expectLog(["[0, 1]"], ["cancelled"])
      }
      run.expectNoWitness()
    },
  ]
}

/// A wait that finishes when the last thread lets go of it.
private final class FinishingWait: Sendable {
  let wait: TaskWait

  init(_ wait: TaskWait) { self.wait = wait }

  deinit { wait.finish() }
}

/// Instead of a continuation, a callback that notes the result.
extension TaskWait {
  fileprivate init(noting run: Run, of promise: Subject) {
    typealias Operations = StepOperations<AlwaysStep<Witness, Never>>
    self.init(
      words: Operations.words, traits: Operations.traits,
      operations: { Operations.perform($0, $1, $2) })
  }

  fileprivate func start(_ run: Run, on promise: Subject) {
    let callback: @Sendable (PromiseResult<Witness, Never>) -> Void = { run.count($0.text) }
    core.write(callback)
    start(on: promise.handle)
  }
}
