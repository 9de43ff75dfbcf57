import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Callbacks on paused contexts.
@Suite(.inTurn) struct PromisePauseTests {
  private let context = ManualContext()

  private let pause = PromisePause()
  private let order = Recorder<Int>()

  // MARK: Waiting

  @Test("7.1 callbacks under a suspended pause wait, and run once on their contexts afterwards")
  func steps() {
    let (context, other) = (ManualContext(), ManualContext())
    let last = Subject(fulfilled: 1).map(on: context.context.paused(by: pause)) { [order] value in
      order.record(1)
      return value + 1
    }
    .map(on: other.context.paused(by: pause)) { [order] value in
      order.record(2)
      return value + 1
    }
    pause.suspend()
    pause.suspend()
    #expect(pause.isSuspended)
    context.runAll()
    #expect((order.entries, context.count) == ([], 0))
    pause.resume()
    pause.resume()
    #expect((order.entries, context.count, pause.isSuspended) == ([], 1, false))
    context.runAll()
    #expect((order.entries, last.result) == ([1], nil))
    other.runAll()
    #expect((order.entries, last.result) == ([1, 2], .value(3)))
  }

  @Test("7.1 suspending lets the running callback finish and holds back only the pause's contexts")
  func running() {
    let first = Subject(fulfilled: 1).map(on: .immediate.paused(by: pause)) { [pause] value in
      pause.suspend()
      return value + 1
    }
    let second = first.map(on: .immediate.paused(by: pause)) { $0 + 1 }
    let free = first.map(on: .immediate) { $0 + 1 }
    #expect((first.result, second.result, free.result) == (.value(2), nil, .value(3)))
    pause.resume()
    #expect(second.result == .value(3))
  }

  @Test("7.1 operators, bodies, cancel handlers, bounded whens and chains wait for a pause", arguments: Use.all)
  private func uses(use: Use) async {
    let (context, begun) = (ManualContext(), Counter())
    pause.suspend()
    let promise = use.make(context.context.paused(by: pause), begun)
    context.runAll()
    #expect((begun.count, context.count) == (0, 0))
    pause.resume()
    context.runAll()
    #expect(begun.count == 1)
    _ = promise
  }

  private struct Use: Sendable, CustomStringConvertible {
    let description: String
    let make: @Sendable (PromiseContext, Counter) -> any Sendable

    static let all =
      [
        Use(description: "a body") { context, begun in Subject(on: context) { _ in begun.increment() } },
        Use(description: "a lazy promise") { context, begun in
          LazyPromise<Int, Refusal>(on: context) { _ in begun.increment() }.promise
        },
        Use(description: "a cancel handler") { context, begun in
          let (promise, resolver) = Subject.makeWithResolver()
          resolver.onRequestCancel(on: context) { _ in begun.increment() }
          promise.requestCancel()
          return promise
        },
        Use(description: "a bounded when") { context, begun in
          when(fulfilled: [1], maxConcurrent: 1, on: context) { _ in Subject(fulfilled: begun.increment()) }
        },
        Use(description: "a chain with an owner") { context, begun in
          Subject(fulfilled: 1).bound(to: begun).then(on: context) { begun, _ in begun.increment() }
        },
        Use(description: "a step with a token") { context, begun in
          Subject(fulfilled: 1).then(on: context, token: PromiseInvalidationToken(invalidateOnDeinit: false)) { _ in
            begun.increment()
          }
        },
      ]
      + TestedOperator.every.map { tested in
        let ending = Ending.allCases.first(where: tested.runsFor.contains) ?? .value
        return Use(description: tested.name) { context, begun in
          tested(Promise(with: ending.result(1, "no")), on: context) { begun.increment() }
        }
      }
  }

  @Test("7.1 a submitted callback that has not begun waits again, before the others")
  func submitted() {
    for number in 1...2 {
      Subject(fulfilled: number).then(on: context.context.paused(by: pause)) { [order] in order.record($0) }
    }
    #expect(context.count == 2)
    pause.suspend()
    Subject(fulfilled: 3).then(on: context.context.paused(by: pause)) { [order] in order.record($0) }
    context.runAll()
    #expect(order.entries == [])
    pause.resume()
    #expect(context.runNext())
    pause.suspend()
    pause.resume()
    pause.suspend()
    context.runAll()
    #expect(order.entries == [1])
    pause.resume()
    context.runAll()
    #expect(order.entries == [1, 2, 3])
  }

  // MARK: Order

  @Test("7.2 waiting callbacks are submitted in the order of arrival, whatever their contexts")
  func arrival() {
    let contexts = [context.context, .immediate, context.context, context.context, .immediate]
    pause.suspend()
    let probes = contexts.map { _ in Subject.makeWithResolver() }
    for ((promise, _), context) in zip(probes, contexts) {
      promise.then(on: context.paused(by: pause)) { [order] in order.record($0) }
    }
    for number in [4, 2, 0, 3, 1] { probes[number].1.fulfill(with: number) }
    pause.resume()
    #expect(order.entries == [4, 1])
    context.runAll()
    #expect(order.entries == [4, 1, 2, 0, 3])
  }

  @Test("7.2 a callback that arrives while others are being submitted comes after them")
  func newcomer() {
    pause.suspend()
    let paused = PromiseContext.immediate.paused(by: pause)
    for number in 0..<3 {
      Subject(fulfilled: number).then(on: paused) { [order] in
        order.record($0)
        if $0 == 0 { Subject(fulfilled: 9).then(on: paused) { order.record($0) } }
      }
    }
    pause.resume()
    #expect(order.entries == [0, 1, 2, 9])
  }

  @Test("7.2 a pause suspended by a callback submits nothing more until it is resumed")
  func changes() {
    pause.suspend()
    for number in 0..<4 {
      Subject(fulfilled: number).then(on: .immediate.paused(by: pause)) { [order, pause] in
        order.record($0)
        if $0 == 1 { pause.suspend() }
        if $0 == 2 {
          pause.suspend()
          pause.resume()
        }
      }
    }
    pause.resume()
    #expect(order.entries == [0, 1])
    pause.resume()
    #expect(order.entries == [0, 1, 2, 3])
  }

  @Test("7.2 a callback may block until another one under the same pause has run")
  func blocking() async throws {
    pause.suspend()
    let (first, resolver) = Subject.makeWithResolver()
    let behind = first.map(on: .utility.paused(by: pause)) { $0 + 1 }
    let blocked = Promise<Int?, Never>(fulfilled: 0).map(on: .immediate.paused(by: pause)) { _ in
      resolver.fulfill(with: 1)
      return behind.waitForResult(timeout: .seconds(60))?.value
    }
    try await onOwnThread("resume()") { [pause] in pause.resume() }
    #expect(await blocked.outcome()?.value == 2)
  }

  @Test("7.2 an executor that repeats work inside the call runs each callback once, in order", arguments: [1, 3])
  func strangeExecutor(times: Int) async {
    pause.suspend()
    let context = PromiseContext.executor(RepeatingExecutor(times: times)).paused(by: pause)
    let last = (0..<3).map { number in
      Subject(fulfilled: number).map(on: context) { [order] in
        order.record($0)
        return $0
      }
      .map(on: context) { $0 + 1 }
    }
    pause.resume()
    #expect(order.entries == [0, 1, 2])
    for number in 0..<3 { #expect(await last[number].outcome() == .value(number + 1)) }
  }

  @Test("7.7 an immediate callback under a pause runs inside the call or inside resume()")
  func immediate() {
    let contexts = [PromiseContext.immediate, .nowOr(.immediate)].map { $0.paused(by: pause) }
    let now = contexts.map { context in Subject(fulfilled: 1).map(on: context) { $0 + 1 } }
    #expect(now.map(\.result) == [.value(2), .value(2)])
    pause.suspend()
    let later = contexts.map { context in Subject(fulfilled: 1).map(on: context) { $0 + 1 } }
    #expect(later.map(\.result) == [nil, nil])
    pause.resume()
    #expect(later.map(\.result) == [.value(2), .value(2)])
  }

  @Test("7.7 long chains and many waiting callbacks under a pause use a small stack")
  func long() async throws {
    let count = scaled(100_000)
    let isDone = try await onSmallStack {
      let pause = PromisePause()
      let context = PromiseContext.immediate.paused(by: pause)
      let (root, resolver) = Subject.makeWithResolver()
      let chain = (0..<count).reduce(root) { promise, _ in promise.map(on: context) { $0 + 1 } }
      resolver.fulfill(with: 0)
      guard chain.waitForResult(timeout: .seconds(60)) == .value(count) else { return false }
      pause.suspend()
      let many = (0..<count).map { number in Subject(fulfilled: number).map(on: context) { $0 + 1 } }
      let other = (0..<count).reduce(Subject(fulfilled: 0)) { promise, _ in promise.map(on: context) { $0 + 1 } }
      pause.resume()
      return many.indices.allSatisfy { many[$0].result == .value($0 + 1) }
        && other.waitForResult(timeout: .seconds(60)) == .value(count)
    }
    #expect(isDone)
  }

  @Test("7.2 resuming before the queue has reached the callbacks keeps their order")
  func hurried() {
    for number in 1...3 {
      Subject(fulfilled: number).then(on: context.context.paused(by: pause)) { [order] in order.record($0) }
    }
    pause.suspend()
    context.runNext()
    pause.resume()
    Subject(fulfilled: 4).then(on: context.context.paused(by: pause)) { [order] in order.record($0) }
    context.runAll()
    #expect(order.entries == [1, 2, 3, 4])
  }

  @Test("7.1 6.1 a delay under a suspended pause ends when the pause is resumed")
  func delay() async {
    let clock = TestClock()
    let delayed = Subject(fulfilled: 1).delay(on: .immediate.paused(by: pause), .seconds(1), clock: clock)
    pause.suspend()
    await clock.advance(by: .seconds(2))
    #expect((delayed.result, clock.sleeperCount) == (nil, 0))
    pause.resume()
    #expect(await delayed.outcome() == .value(1))
  }

  // MARK: Cancellation

  @Test("7.3 a request to cancel is passed up at once while the pause is suspended")
  func request() {
    let probe = IntProbe()
    pause.suspend()
    let step = probe.take().map(on: .immediate.paused(by: pause)) { $0 + 1 }
    step.requestCancel()
    #expect(probe.requestCount == 1)
    probe.resolver.cancel()
    #expect(step.result == .cancelled)
  }

  @Test("7.3 a request to cancel does not remove a callback that waits for a pause")
  func requestWhileWaiting() {
    pause.suspend()
    let paused = Subject(fulfilled: 1).map(on: context.context.paused(by: pause)) { $0 + 1 }
    let queued = Subject(fulfilled: 1).map(on: context.context) { $0 + 1 }
    for promise in [paused, queued] { promise.requestCancel() }
    #expect([paused.result, queued.result] == [nil, nil])
    pause.resume()
    context.runAll()
    #expect([paused.result, queued.result] == [.value(2), .value(2)])
  }

  @Test("7.3 an invalidated token suppresses a callback that waits for a pause")
  func token() {
    let (token, calls) = (PromiseInvalidationToken(), Counter())
    pause.suspend()
    let step = Subject(fulfilled: 1).map(on: .immediate.paused(by: pause), token: token) { _ in calls.increment() }
    token.invalidate()
    pause.resume()
    #expect((step.result, calls.count) == (.cancelled, 0))
  }
}
