import Dispatch
import Foundation
import Overmorrow
import Testing

@Suite(.inTurn) @MainActor struct MainPassTests {
  private let trace = MainTrace()

  private typealias IntPromise = Promise<Int, Reason>

  @Test(
    "2.10 chained callbacks on the main queue run in one pass of it, also behind a step that returns a resolved promise"
  )
  func onePass() async {
    let (promise, resolver) = IntPromise.makeWithResolver()
    let chain =
      promise
      .then(on: .main) { _ in trace.begin() }
      .map(on: .main) { value in
        trace.log.record("map")
        return value + 1
      }
      .always(on: .main) { _ in trace.log.record("always") }
      .flatMapResult(on: .main) { result -> IntPromise in
        trace.log.record("flatMapResult")
        return Promise(with: result)
      }
    chain.then(on: .main) { _ in trace.log.record("then") }
    resolver.fulfill(with: 7)
    await trace.expect("begin", "map", "always", "flatMapResult", "then", "another turn")
  }

  @Test("2.10 a step that returns an unresolved promise ends the pass")
  func unresolvedPromise() async {
    let (inner, resolver) = IntPromise.makeWithResolver()
    let last = IntPromise(fulfilled: 7)
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
    "2.10 with `.queue(.main)` each callback takes a turn of the main queue of its own; only `.main` joins a pass",
    arguments: [(.queue(.main), .queue(.main)), (.main, .queue(.main)), (.queue(.main), .main)]
      as [(PromiseContext, PromiseContext)])
  func turns(first: PromiseContext, second: PromiseContext) async {
    let last = IntPromise(fulfilled: 7).then(on: first) { _ in trace.begin() }.then(on: second) { _ in
      trace.log.record("end")
    }
    _ = await last.outcome()
    await trace.expect("begin", "another turn", "end")
  }

  @Test("2.5 2.10 observers on `.queue(.main)` run there, in the order registered")
  func observers() async {
    let (promise, resolver) = IntPromise.makeWithResolver()
    let observers = ["a", "b", "c"].map { name in
      promise.then(on: .queue(.main)) { _ in trace.log.record(PromiseContext.auto == .main ? name : "elsewhere") }
    }
    DispatchQueue.global().async { resolver.fulfill(with: 7) }
    for observer in observers { _ = await observer.outcome() }
    #expect(trace.log.entries == ["a", "b", "c"])
  }

  @Test("2.10 steps that need no callback, or run at once, do not end the pass")
  func stepsBetween() async {
    let (promise, resolver) = IntPromise.makeWithResolver()
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

  @Test("2.10 siblings behind a step on the main queue run in its pass, in order, and before their children")
  func siblings() async {
    let (promise, resolver) = IntPromise.makeWithResolver()
    let first = promise.then(on: .main) { _ in trace.begin() }
    for name in ["a", "b"] {
      first.then(on: .main) { _ in trace.log.record(name) }.then(on: .main) { _ in trace.log.record(name + name) }
    }
    resolver.fulfill(with: 7)
    await trace.expect("begin", "a", "b", "aa", "bb", "another turn")
  }

  @Test("2.10 what is resolved in the pass is served in it, when the resolving callback has ended or inside it")
  func resolvedInPass() async {
    let (promise, resolver) = IntPromise.makeWithResolver()
    promise.then(on: .main) { _ in trace.log.record("served") }
    IntPromise(fulfilled: 7).then(on: .main) { value in
      trace.begin()
      resolver.fulfill(with: value)
    }
    await trace.expect("begin", "served", "another turn")
  }

  @Test("2.5 an observer registered in a pass does not overtake one that waits in the main queue already")
  func noOvertaking() async {
    let (promise, resolver) = IntPromise.makeWithResolver()
    promise.then(on: .main) { _ in trace.log.record("earlier") }
    IntPromise(fulfilled: 7).then(on: .main) { value in
      // Resolves on another thread, which hands the earlier observer to the main queue.
      onThread(stackSize: 512 << 10) { resolver.fulfill(with: value) }
      promise.then(on: .main) { _ in trace.end("later") }
    }
    await trace.done.wait(for: "the later observer")
    #expect(trace.log.entries == ["earlier", "later"])
  }

  @Test("2.5 an observer registered in a pass does not overtake one that was registered outside, on a resolved promise")
  func noOvertakingOnResolved() async {
    let promise = IntPromise(fulfilled: 7)
    let (trigger, resolver) = IntPromise.makeWithResolver()
    trigger.then(on: .main) { _ in
      promise.then(on: .main) { _ in trace.end("later") }
    }
    resolver.fulfill(with: 7)
    promise.then(on: .main) { _ in trace.log.record("earlier") }
    await trace.done.wait(for: "the later observer")
    #expect(trace.log.entries == ["earlier", "later"])
  }

  @Test(
    "2.5 observers on the main queue run once and in order while registering in a pass and resolving elsewhere race")
  func race() async {
    for _ in 0..<100 {
      let log = Recorder<Int>()
      let done = Latch()
      let (promise, resolver) = IntPromise.makeWithResolver()
      for index in 0..<5 { promise.then(on: .main) { _ in log.record(index) } }
      IntPromise(fulfilled: 7).then(on: .main) { value in
        DispatchQueue.global().async { resolver.fulfill(with: value) }
        for index in 5..<20 { promise.then(on: .main) { _ in log.record(index) } }
        promise.then(on: .main) { _ in done.signal() }
      }
      await done.wait(for: "the last observer")
      #expect(log.entries == Array(0..<20))
    }
  }

  @Test("2.10 a callback on the main queue never runs inside the call that registers it or resolves its promise")
  func neverInside() async {
    let log = Recorder<String>()
    let (promise, resolver) = IntPromise.makeWithResolver()
    let child = promise.then(on: .main) { _ in log.record("callback") }
    resolver.fulfill(with: 7)
    log.record("resolved")
    let other = IntPromise(fulfilled: 7).then(on: .main) { _ in log.record("other callback") }
    log.record("registered")
    _ = await child.outcome()
    _ = await other.outcome()
    #expect(log.entries == ["resolved", "registered", "callback", "other callback"])
  }
}
