import Foundation
import Overmorrow
import OvermorrowFoundation
import Testing

@Suite(.inTurn) struct OperationQueueContextTests {
  private typealias Probe = CancelProbe<Int, Flaw>

  private let queue = OperationQueue()
  private let clock = TestClock()
  private var context: PromiseContext { .operationQueue(queue) }

  @Test("2.11 17.1 contexts of operation queues are equal only if the queue is the same")
  func equality() {
    let (left, right) = (OperationQueue(), OperationQueue())
    (left.name, right.name) = ("same", "same")
    #expect(PromiseContext.operationQueue(left) == .operationQueue(left))
    #expect(PromiseContext.operationQueue(left).hashValue == PromiseContext.operationQueue(left).hashValue)
    #expect(PromiseContext.operationQueue(left) != .operationQueue(right))
    #expect(PromiseContext.operationQueue(left) != .queue(.main))
  }

  @Test("1.1 17.1 a body and its callbacks run as operations of the queue")
  func runs() async {
    @Sendable func render() -> String { OperationQueue.current?.maxConcurrentOperationCount == 2 ? "sun" : "elsewhere" }

    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 2
    let picture = Promise<String, Never>(on: .operationQueue(queue)) { resolver in resolver.fulfill(with: render()) }
      .map(on: .operationQueue(queue)) { $0.uppercased() }

    #expect(await expectAnswer(picture) == "SUN")
    let isThere = picture.map(on: .operationQueue(queue)) { _ in OperationQueue.current === queue }
    #expect(await expectAnswer(isThere) == true)
  }

  @Test("1.4 17.2 cancelling an operation cancels its promise at once, even on a suspended queue")
  func cancelledOperation() async {
    queue.isSuspended = true
    let calls = Tally()
    let body = Promise<Int, Never>(on: context) { _ in calls.add() }
    let step = Promise<Int, Never>(fulfilled: 1).map(on: context) { _ in calls.add() }
    #expect(queue.operationCount == 2)
    queue.cancelAllOperations()
    expectCancelled(body)
    expectCancelled(step)
    queue.isSuspended = false
    await emptied(queue)
    #expect(calls.value == 0)
  }

  @Test("6.1 the operation of a delay is enqueued by the call and keeps its place", arguments: [true, false])
  func delay(isThere: Bool) async {
    let log = Recorder<String>()
    queue.isSuspended = true
    queue.maxConcurrentOperationCount = 1
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    if isThere { resolver.fulfill(with: 5) }
    let late = promise.delay(on: context, .seconds(60), clock: clock)
      .then(on: .immediate) { _ in log.record("delayed") }
    #expect(queue.operations.map(\.isReady) == [false])
    queue.addOperation { log.record("enqueued later") }
    if !isThere {
      await clock.advance(by: .seconds(60))
      resolver.fulfill(with: 5)
    }
    await clock.advance(by: .seconds(59))
    #expect(queue.operations.map(\.isReady) == [false, true])
    await clock.advance(by: .seconds(1))
    #expect(queue.operations.map(\.isReady) == [true, true])
    expectPending(late)
    queue.isSuspended = false
    #expect(await expectAnswer(late) == 5)
    await emptied(queue)
    #expect(log.entries == ["delayed", "enqueued later"])
  }

  @Test(
    "6.1 6.2 6.3 17.2 cancelling a delay's or timeout's operation cancels its promise without leaving a timer",
    arguments: [false, true])
  func cancelEarly(isTimeout: Bool) {
    queue.isSuspended = true
    let (child, probe) = Probe.feed { promise in
      isTimeout
        ? AnyChild(promise.timeout(on: context, .seconds(60), clock: clock))
        : AnyChild(promise.delay(on: context, .seconds(60), clock: clock))
    }
    #expect(clock.sleeperCount == (isTimeout ? 1 : 0))
    queue.cancelAllOperations()
    #expect((child.isCancelled, probe.requestCount, clock.sleeperCount) == (true, 1, 0))
    probe.resolver.fulfill(with: 5)
    #expect(child.isCancelled)
  }

  @Test("6.1 a cancellation after a request is not delayed and removes the operation")
  func cancelDelayOfSource() async {
    for isEarly in [true, false] {
      let (late, probe) = Probe.feed { $0.delay(on: context, .seconds(60), clock: clock) }
      if isEarly { late.requestCancel() }
      probe.resolver.cancel()
      if !isEarly {
        expectPending(late)
        late.requestCancel()
      }
      expectCancelled(late)
      #expect(clock.sleeperCount == 0)
      await emptied(queue)
    }
  }

  @Test("6.3 a delay whose source is released is cancelled after it, without an operation")
  func abandonedDelay() async {
    let late = Probe.feed { $0.delay(on: context, .seconds(60), clock: clock) }.0
    #expect(queue.operations.map(\.isReady) == [false])
    await clock.advance(by: .seconds(60))
    await expectCancelled(late, within: waitLimit)
    await emptied(queue)
  }

  @Test("1.5 6.3 a request or a cancelled operation cancels a delayed promise and its timer", arguments: [true, false])
  func cancelDelayed(byRequest: Bool) async {
    let late = Promise<Int, Never>(on: context, fulfilled: 1, after: .seconds(60), clock: clock)
    #expect(queue.operationCount == 1)
    byRequest ? late.requestCancel() : queue.cancelAllOperations()
    expectCancelled(late)
    #expect(clock.sleeperCount == 0)
    await emptied(queue)
  }

  @Test(
    "6.2 a timeout's operation becomes ready at the deadline, and an earlier result wins",
    arguments: [Duration.zero, .seconds(60)], [true, false])
  func timeout(after delay: Duration, isInTime: Bool) async {
    queue.isSuspended = true
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let limited = promise.timeout(on: context, delay, clock: clock)
    #expect(queue.operations.map(\.isReady) == [delay == .zero])
    if isInTime { resolver.fulfill(with: 5) }
    await clock.advance(by: delay)
    expectPending(limited)
    queue.isSuspended = false
    #expect(await limited.outcome() == (isInTime ? .value(5) : .error(.timedOut)))
    await emptied(queue)
    withExtendedLifetime(resolver) {}
  }

  @Test("2.6 a retained operation does not retain its callback")
  func kept() async {
    let gone = Signal()
    queue.isSuspended = true
    var object: Tracker.Tracked? = Tracker().make { gone.send() }
    let step = Promise<Int, Never>(fulfilled: 1).map(on: context) { [object] value in
      withExtendedLifetime(object) { value }
    }
    object = nil
    let operations = queue.operations
    queue.isSuspended = false
    await expectAnswer(step)
    await gone.wait()
    withExtendedLifetime(operations) {}
  }
}

/// Waits until the queue is empty. Finished operations leave it slightly later.
func emptied(_ queue: OperationQueue) async {
  let signal = Signal()
  queue.addBarrierBlock { signal.send() }
  await signal.wait()
}
