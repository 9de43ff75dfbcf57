import Foundation
import Overmorrow
import OvermorrowFoundation
import OvermorrowTesting
import Testing

@Suite(.inTurn) struct OperationQueueContextTests {
  private static func suspendedQueue() -> OperationQueue {
    let queue = OperationQueue()
    queue.isSuspended = true
    return queue
  }

  @Test("2.11 17.1 contexts of one operation queue are equal, those of two are not, whatever their names")
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
    let queue = OperationQueue()
    let promise = Promise<Int, Never>(on: .operationQueue(queue)) { resolver in
      #expect(OperationQueue.current === queue)
      resolver.fulfill(with: 20)
    }
    let sum = promise.map(on: .operationQueue(queue)) { value in
      #expect(OperationQueue.current === queue)
      return value + 1
    }
    #expect(await expectAnswer(sum) == 21)
  }

  @Test("1.4 17.2 a cancelled operation cancels its promise at once, on a suspended queue, too")
  func cancelledOperation() {
    let queue = Self.suspendedQueue()
    let body = Promise<Int, Never>(on: .operationQueue(queue)) { $0.fulfill(with: 1) }
    let step = Promise<Int, Never>(fulfilled: 1).map(on: .operationQueue(queue)) { $0 }
    #expect(queue.operationCount == 2)
    queue.cancelAllOperations()
    expectCancelled(body)
    expectCancelled(step)
  }

  @Test("1.4 a cancelled operation leaves its queue and runs nothing")
  func cancelledOperationLeaves() async {
    let queue = Self.suspendedQueue()
    let calls = Tally()
    let step = Promise<Int, Never>(fulfilled: 1).map(on: .operationQueue(queue)) { _ in calls.add() }
    queue.cancelAllOperations()
    queue.isSuspended = false
    expectCancelled(step)
    await emptied(queue)
    #expect(calls.value == 0)
  }

  @Test("6.1 a delay on an operation queue is an operation that becomes ready when its time has come")
  func delay() async {
    let (queue, clock) = (OperationQueue(), TestClock())
    let late = Promise<Int, Never>(fulfilled: 1).delay(on: .operationQueue(queue), .seconds(60), clock: clock)
    #expect(queue.operationCount == 1)
    #expect(queue.operations.allSatisfy { !$0.isReady })
    await clock.advance(by: .seconds(59))
    #expect(queue.operations.allSatisfy { !$0.isReady })
    expectPending(late)
    await clock.advance(by: .seconds(1))
    await expectAnswer(late)
    await emptied(queue)
  }

  @Test(
    "6.1 the operation of a delay is enqueued by the call, and keeps its place until the result is there and delayed")
  func delayKeepsItsPlace() async {
    let (queue, clock, log) = (Self.suspendedQueue(), TestClock(), Recorder<String>())
    queue.maxConcurrentOperationCount = 1
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let late = promise.delay(on: .operationQueue(queue), .seconds(60), clock: clock)
      .then(on: .immediate) { _ in log.record("delayed") }
    #expect(queue.operations.map(\.isReady) == [false])
    queue.addOperation { log.record("enqueued later") }
    await clock.advance(by: .seconds(60))
    resolver.fulfill(with: 5)
    await clock.advance(by: .seconds(59))
    #expect(queue.operations.map(\.isReady) == [false, true])
    await clock.advance(by: .seconds(1))
    #expect(queue.operations.map(\.isReady) == [true, true])
    queue.isSuspended = false
    #expect(await expectAnswer(late) == 5)
    await emptied(queue)
    #expect(log.entries == ["delayed", "enqueued later"])
  }

  @Test("6.1 17.2 a delay whose operation is cancelled before there is a result is cancelled at once, with its vote")
  func cancelEarlyDelay() {
    let (queue, clock) = (Self.suspendedQueue(), TestClock())
    let asked = Tally()
    let (late, resolver) = {
      let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
      resolver.onRequestCancel(on: .immediate) { _ in asked.add() }
      return (promise.delay(on: .operationQueue(queue), .seconds(60), clock: clock), resolver)
    }()
    queue.cancelAllOperations()
    expectCancelled(late)
    #expect(asked.value == 1)
    resolver.fulfill(with: 5)
    expectCancelled(late)
    #expect(clock.sleeperCount == 0)
  }

  @Test("6.1 a cancellation that was asked for is not delayed on an operation queue, and takes the operation away")
  func cancelDelayOfSource() async {
    for isEarly in [true, false] {
      let (queue, clock) = (OperationQueue(), TestClock())
      let (late, resolver) = {
        let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
        return (promise.delay(on: .operationQueue(queue), .seconds(60), clock: clock), resolver)
      }()
      if isEarly { late.requestCancel() }
      resolver.cancel()
      if !isEarly {
        expectPending(late)
        late.requestCancel()
      }
      expectCancelled(late)
      #expect(clock.sleeperCount == 0)
      await emptied(queue)
    }
  }

  @Test("6.3 a delay whose promise goes unresolved is cancelled in its turn, and leaves no operation behind")
  func abandonedDelay() async {
    let (queue, clock) = (OperationQueue(), TestClock())
    let late = {
      let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
      return withExtendedLifetime(resolver) {
        promise.delay(on: .operationQueue(queue), .seconds(60), clock: clock)
      }
    }()
    #expect(queue.operations.map(\.isReady) == [false])
    await clock.advance(by: .seconds(60))
    await expectCancelled(late, within: patience)
    await emptied(queue)
  }

  @Test("1.5 a request to cancel a delayed promise cancels it at once and takes its operation away")
  func cancelDelayed() async {
    let (queue, clock) = (OperationQueue(), TestClock())
    let late = Promise<Int, Never>(on: .operationQueue(queue), fulfilled: 1, after: .seconds(60), clock: clock)
    #expect(queue.operationCount == 1)
    late.requestCancel()
    expectCancelled(late)
    await emptied(queue)
  }

  @Test("6.3 a delay whose operation is cancelled cancels its promise, and its timer goes")
  func cancelDelayingOperation() async {
    let (queue, clock) = (OperationQueue(), TestClock())
    let late = Promise<Int, Never>(on: .operationQueue(queue), fulfilled: 1, after: .seconds(60), clock: clock)
    queue.cancelAllOperations()
    expectCancelled(late)
    await emptied(queue)
    await clock.advance(by: .seconds(60))
  }

  @Test("6.2 a timeout on an operation queue is an operation that becomes ready when the time is over")
  func timeout() async {
    let (queue, clock) = (OperationQueue(), TestClock())
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let limited = promise.timeout(on: .operationQueue(queue), .seconds(60), clock: clock)
    #expect(queue.operations.map(\.isReady) == [false])
    await clock.advance(by: .seconds(60))
    #expect(await expectRejected(limited, within: patience) == .timedOut)
    withExtendedLifetime(resolver) {}
  }

  @Test("6.2 a timeout of zero is decided when the queue runs its operation")
  func timeoutOfZero() async {
    for isInTime in [true, false] {
      let queue = Self.suspendedQueue()
      let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
      let limited = promise.timeout(on: .operationQueue(queue), .zero)
      #expect(queue.operations.map(\.isReady) == [true])
      if isInTime { resolver.fulfill(with: 5) }
      queue.isSuspended = false
      if isInTime {
        #expect(await expectAnswer(limited) == 5)
      } else {
        #expect(await expectRejected(limited, within: patience) == .timedOut)
      }
      await emptied(queue)
      withExtendedLifetime(resolver) {}
    }
  }

  @Test("6.2 a result in time takes the operation of the timeout away, and wins on a busy queue")
  func inTime() async {
    let (queue, clock) = (Self.suspendedQueue(), TestClock())
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let limited = promise.timeout(on: .operationQueue(queue), .seconds(60), clock: clock)
    resolver.fulfill(with: 5)
    await clock.advance(by: .seconds(60))
    expectPending(limited)
    queue.isSuspended = false
    #expect(await expectAnswer(limited) == 5)
    await emptied(queue)
  }

  @Test("6.2 6.3 a timeout whose operation is cancelled cancels its promise, and leaves no timer")
  func cancelTimeoutOperation() {
    let (queue, clock) = (Self.suspendedQueue(), TestClock())
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let limited = promise.timeout(on: .operationQueue(queue), .seconds(60), clock: clock)
    #expect(clock.sleeperCount == 1)
    queue.cancelAllOperations()
    expectCancelled(limited)
    #expect(clock.sleeperCount == 0)
    resolver.fulfill(with: 5)
    expectCancelled(limited)
  }

  @Test("2.6 an operation that somebody keeps does not keep the callback")
  func kept() async {
    let queue = OperationQueue()
    let gone = Signal()
    queue.isSuspended = true
    var object: Object? = Object { gone.send() }
    let step = Promise<Int, Never>(fulfilled: 1).map(on: .operationQueue(queue)) { [object] value in
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

private final class Object: Sendable {
  let onDeinit: @Sendable () -> Void
  init(onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }
  deinit { onDeinit() }
}

/// Waits until the queue has nothing left; finished operations leave it a little later.
func emptied(_ queue: OperationQueue) async {
  let signal = Signal()
  queue.addBarrierBlock { signal.send() }
  await signal.wait()
}
