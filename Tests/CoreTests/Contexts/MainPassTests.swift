import Dispatch
import Foundation
import Overmorrow
import Testing

@Suite(.inTurn) @MainActor struct MainPassTests {
  private let trace = MainTrace()

  @Test("2.10 consecutive callbacks on the main queue run in one pass after the resolving call")
  func onePass() async {
    let (promise, resolver) = Subject.makeWithResolver()
    let chain =
      promise
      .then(on: .main) { _ in trace.begin() }
      .map(on: .main) { value in
        trace.log.record("map")
        return value + 1
      }
      .always(on: .main) { _ in trace.log.record("always") }
      .flatMapResult(on: .main) { result -> Subject in
        trace.log.record("flatMapResult")
        return Promise(with: result)
      }
    chain.then(on: .main) { _ in trace.log.record("then") }
    resolver.fulfill(with: 7)
    trace.log.record("resolved")
    await trace.expect("resolved", "begin", "map", "always", "flatMapResult", "then", "another turn")
  }

  @Test("2.10 a step that returns a pending promise ends the pass")
  func unresolvedPromise() async {
    let (inner, resolver) = Subject.makeWithResolver()
    let last = Subject(fulfilled: 7)
      .flatMap(on: .main) { _ in
        trace.begin()
        DispatchQueue.main.async { resolver.fulfill(with: 8) }
        return inner
      }
      .then(on: .main) { _ in trace.log.record("then") }
    _ = await last.outcome()
    await trace.expect("begin", "another turn", "then")
  }

  @Test(
    "2.10 only callbacks on .main join a pass, and .queue(.main) takes its own turn",
    arguments: [(.queue(.main), .queue(.main)), (.main, .queue(.main)), (.queue(.main), .main)]
      as [(PromiseContext, PromiseContext)])
  func turns(first: PromiseContext, second: PromiseContext) async {
    let last = Subject(fulfilled: 7).then(on: first) { _ in trace.begin() }.then(on: second) { _ in
      trace.log.record("end")
    }
    _ = await last.outcome()
    await trace.expect("begin", "another turn", "end")
  }

  @Test("2.10 steps that need no callback, or run at once, do not end the pass")
  func stepsBetween() async {
    let (promise, resolver) = Subject.makeWithResolver()
    promise
      .then(on: .main) { _ in trace.begin() }
      .makeChild()
      .map(on: .immediate) { $0 + 1 }
      .catch(on: .default) { _ in }
      .tap()
      .then(on: .nowOr(.main)) { _ in trace.log.record("then") }
    resolver.fulfill(with: 7)
    await trace.expect("begin", "then", "another turn")
  }

  @Test("2.10 siblings on the main queue run in order in the pass, before their children")
  func siblings() async {
    let (promise, resolver) = Subject.makeWithResolver()
    let first = promise.then(on: .main) { _ in trace.begin() }
    for name in ["a", "b"] {
      first.then(on: .main) { _ in trace.log.record(name) }.then(on: .main) { _ in trace.log.record(name + name) }
    }
    resolver.fulfill(with: 7)
    await trace.expect("begin", "a", "b", "aa", "bb", "another turn")
  }

  @Test("2.10 observers of a promise resolved in a pass run in the same pass")
  func resolvedInPass() async {
    let (promise, resolver) = Subject.makeWithResolver()
    promise.then(on: .main) { _ in trace.log.record("served") }
    Subject(fulfilled: 7).then(on: .main) { value in
      trace.begin()
      resolver.fulfill(with: value)
    }
    await trace.expect("begin", "served", "another turn")
  }

  @Test("2.5 an observer registered in a pass does not overtake one already submitted")
  func noOvertaking() async {
    let (promise, resolver) = Subject.makeWithResolver()
    promise.then(on: .main) { _ in trace.log.record("earlier") }
    Subject(fulfilled: 7).then(on: .main) { value in
      // Resolves on another thread, which submits the earlier observer to the main queue.
      onThread(stackSize: 512 << 10) { resolver.fulfill(with: value) }
      promise.then(on: .main) { _ in trace.end("later") }
    }
    await trace.done.wait(for: "the later observer")
    #expect(trace.log.entries == ["earlier", "later"])
  }

  @Test("2.5 2.10 an observer registered in a pass on a resolved promise overtakes no earlier one")
  func noOvertakingOnResolved() async {
    let promise = Subject(fulfilled: 7)
    let (trigger, resolver) = Subject.makeWithResolver()
    trigger.then(on: .main) { _ in
      promise.then(on: .main) { _ in trace.end("later") }
    }
    resolver.fulfill(with: 7)
    promise.then(on: .main) { _ in trace.log.record("earlier") }
    trace.log.record("registered")
    await trace.done.wait(for: "the later observer")
    #expect(trace.log.entries == ["registered", "earlier", "later"])
  }

  @Test(
    "2.5 2.10 observers registered in a pass during resolution elsewhere run once and in order",
    arguments: [PromiseContext.main, .queue(.main)])
  func race(context: PromiseContext) async {
    for _ in 0..<100 {
      let log = Recorder<Int>()
      let done = Latch()
      let (promise, resolver) = Subject.makeWithResolver()
      for index in 0..<5 { promise.then(on: context) { _ in log.record(index) } }
      Subject(fulfilled: 7).then(on: .main) { value in
        DispatchQueue.global().async { resolver.fulfill(with: value) }
        for index in 5..<20 { promise.then(on: context) { _ in log.record(index) } }
        promise.then(on: context) { _ in done.signal() }
      }
      await done.wait(for: "the last observer")
      #expect(log.entries == Array(0..<20))
    }
  }
}
