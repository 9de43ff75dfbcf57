@testable import Overmorrow
@testable import OvermorrowEngine

extension Program {
  static let waiting: [Program] = [
    Program("a blocking wait races with resolving") { run in
      let (observer, source) = run.ownSubject()
      run.thread(with: observer) {
        run.expect((try? $0.waitForResult())?.text == "value 1", "the wait has ended without the result")
      }
      run.thread(with: source) { $0.fulfill(with: Witness(1)) }
    },
    Program("a look for a deadlock races with the input that decides a when", .narrow) { run in
      let (promise, source) = run.subject()
      let list = OrderList(run)
      let blocked = Subject(fulfilled: Witness(0)).map(on: .executor(list)) { $0 }
      let first = run.own(when(first: [blocked, promise]))
      run.race({ first.use { $0.expectNoNeededPlace(run) } }, source.fulfil)
      run.atEnd { list.runAll() }
    },
    Program("a look for a deadlock races with a step that ends before its source needs its place") { run in
      let (promise, source) = run.subject()
      let list = OrderList(run)
      let blocked = promise.map(on: .executor(list)) { $0 }
      blocked.observe(run)
      let step = run.share(blocked.map(on: .immediate) { $0 }, 2)
      run.race({ step[0].use { $0.expectNoNeededPlace(run) } }) {
        step[1].use { $0.handle.core.cancelWaiting() }
        source.use { $0.fulfill(with: Witness(1)) }
      }
      run.atEnd { list.runAll() }
    },
    Program("a look for a deadlock races with a result that bypasses a callback") { run in
      let (promise, source) = run.subject()
      let list = OrderList(run)
      let step = run.own(promise.map(on: .executor(list)) { $0 })
      run.race({ step.use { $0.expectNoNeededPlace(run) } }, { source.use { $0.cancel() } })
    },
    Program("a task's wait races with the task's cancellation") { run in
      let (observer, source) = run.ownSubject()
      let waits = run.share(RecordingWait(), 2)
      run.race({ waits[0].use { $0.start(run, on: observer.value) } }, { waits[1].use { $0.wait.cancel() } })
      run.expectAtEnd([])
      run.atEnd { source.value.fulfill(with: Witness(1)) }
    },
    Program("a task's wait races with resolving and with the task's cancellation") { run in
      let (observer, source) = run.ownSubject()
      let waits = run.share(RecordingWait(), 2)
      run.thread(with: waits[0]) {
        $0.start(run, on: observer.value)
        observer.drop()
      }
      run.race({ waits[1].use { $0.wait.cancel() } }, source.fulfil)
      run.expectAtEnd([], ["value 1"])
    },
    Program("when(fulfilled:) of two promises") { run in
      let links = (0..<2).map { _ in run.subject() }
      when(fulfilled: links.map(\.promise)).always(on: .immediate) { result in
        if case .value(let values) = result { run.record("\(values.map(\.read))") } else { run.record("none") }
      }
      for (index, link) in links.enumerated() {
        run.thread(with: link.source) { $0.fulfill(with: Witness(index)) }
      }
      run.expectAtEnd(["[0, 1]"])
    },
    Program("when(first:) of two promises") { run in
      let links = (0..<2).map { _ in run.subject() }
      when(first: links.map(\.promise)).always(on: .immediate) { run.record($0.text) }
      for (index, link) in links.enumerated() {
        run.thread(with: link.source) { $0.fulfill(with: Witness(index)) }
      }
      run.expectAtEnd(["value 0"], ["value 1"])
    },
    Program("when(first:) of two promises is adopted while it is decided", .narrow) { run in
      // The search for cycles visits everything upstream.
      let (outer, outerResolver) = Subject.makeWithResolver()
      let links = (0..<2).map { _ in run.subject() }
      let (adopter, adopted) = (run.own(outerResolver), run.own(when(first: links.map(\.promise))))
      outer.observe(run)
      run.race({ adopter.adoptWatched(adopted) }, links[1].source.fulfil)
      run.expectAtEnd(["value 1"])
    },
    Program("a combinator is decided while the only other child requests cancellation", .narrow) { run in
      let (promise, resolver) = Subject.makeWithResolver()
      let (second, secondResolver) = Subject.makeWithResolver()
      let (source, deciding, child) = (run.own(resolver), run.own(secondResolver), run.own(promise.makeChild()))
      when(first: [promise, second]).observe(run)
      run.race(child.requestCancel, { deciding.use { $0.fulfill(with: Witness(2)) } })
      run.expectAtEnd(["value 2"])
      run.expectRequestAtEnd(of: source)
    },
    Program("when(fulfilled:) of two promises races with a request", .narrow) { run in
      let links = (0..<2).map { _ in run.subject() }
      // The checks at the end use the resolvers only, so that they retain no handle.
      let sources = links.map(\.source)
      let all = run.own(when(fulfilled: links.map(\.promise)))
      all.value.always(on: .immediate) { result in
        if case .value(let values) = result { run.record("\(values.map(\.read))") } else { run.record("cancelled") }
      }
      run.race({ sources[0].use { $0.fulfill(with: Witness(0)) } }, all.requestCancel)
      run.atEnd { sources[1].value.fulfill(with: Witness(1)) }
      run.expectAtEnd(["[0, 1]"], ["cancelled"])
    },
  ]
}

extension Promise {
  /// Expects that a blocking wait would find no deadlock if all executors were blocked.
  fileprivate func expectNoNeededPlace(_ run: Run) {
    let place = handle.core.neededPlace { $0 != .immediate }
    run.expect(place == nil, "a deadlock was found, although another thread resolves the promise")
  }
}

/// A wait that calls a closure with the result instead of resuming a continuation. It finishes when the last thread
/// releases it.
private final class RecordingWait: Sendable {
  private typealias Operations = StepOperations<AlwaysStep<Witness, Never>>

  let wait = TaskWait(words: Operations.words, traits: Operations.traits, operations: Operations.operations)

  deinit { _ = wait.finish() }

  func start(_ run: Run, on promise: Subject) {
    let callback: @Sendable (PromiseResult<Witness, Never>) -> Void = { run.record($0.text) }
    wait.start(on: promise.handle, calling: callback)
  }
}
