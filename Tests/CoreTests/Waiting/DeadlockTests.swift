import Dispatch
import Testing

@testable import Overmorrow

/// Blocks the current thread, where the deadlock would occur. Only the wait itself can detect a deadlock, so an alarm
/// ends the process if the wait does not return.
private func waitBlocking<Value, Failure>(_ promise: Promise<Value, Failure>) -> PromiseWaitError? {
  let alarm = DispatchWorkItem { preconditionFailure("a wait that is in a deadlock, or is over, does not return") }
  DispatchQueue.global(qos: .userInteractive).asyncAfter(deadline: .now() + waitLimit, execute: alarm)
  defer { alarm.cancel() }
  do throws(PromiseWaitError) {
    _ = try promise.block(until: nil, lookingEvery: .milliseconds(5))
    return nil
  } catch {
    return error
  }
}

/// Runs work on another thread after 20 ms.
private func soon(_ work: @escaping @Sendable () -> Void) {
  DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20), execute: work)
}

@Suite(.heavy) struct DeadlockTests {
  private let probe = IntProbe()

  @Test("8.4 on the main queue, a wait for work of that queue throws deadlock")
  @MainActor func main() {
    let step = Promise<Int, any Error>(fulfilled: 1).map(on: .main) { $0 }
    let far = step.map(on: .immediate) { $0 }.flatMap(on: .utility) { Promise(fulfilled: $0) }.ignoringCancel()
    let (adopter, resolver) = Promise<Int, any Error>.makeWithResolver()
    resolver.resolve(with: far)
    let promises: [Promise<Int, any Error>] = [
      step, far, adopter, step.always(on: .utility) { _ in }.makeChild(),
      (0..<900).reduce(step) { chain, _ in chain.map(on: .immediate) { $0 } },
      Promise(fulfilled: 1).map(on: .queue(.main)) { $0 },
      Promise(on: .main) { $0.fulfill(with: 1) }, Promise(on: .queue(.main)) { $0.fulfill(with: 1) },
      LazyPromise(on: .main) { $0.fulfill(with: 1) }.promise, probe.promise.upcast.timeout(.seconds(600)),
    ]
    for (row, promise) in promises.enumerated() { #expect(waitBlocking(promise) == .deadlock, "\(row)") }
  }

  @Test("8.4 on the main queue, a wait for later work of that queue throws")
  @MainActor func mainLater() {
    let step = probe.promise.map(on: .main) { $0 }
    soon { probe.resolver.fulfill(with: 1) }
    #expect(waitBlocking(step) == .deadlock)
    let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
    soon { resolver.resolve(with: Promise(fulfilled: 1).map(on: .main) { $0 }) }
    #expect(waitBlocking(promise) == .deadlock)
    // Any result would have to run the callback on the main queue.
    let pending = IntProbe()
    #expect(waitBlocking(pending.promise.always(on: .main) { _ in }) == .deadlock)
  }

  @Test("8.4 the main queue may wait for a step that its source's result bypasses")
  @MainActor func mainPassedBy() {
    let step = probe.promise.map(on: .main) { $0 }.then(on: .main) { _ in }
    soon { probe.resolver.reject(with: .failed) }
    #expect(waitBlocking(step) == nil)
    #expect(step.result?.error == .failed)
  }

  @Test("8.4 the main queue may wait if another input or a timer can end it")
  @MainActor func mainOtherWay() {
    let step = Promise<Int, any Error>(fulfilled: 1).map(on: .main) { $0 }
    soon { probe.resolver.fulfill(with: 2) }
    let race = when(first: [step, probe.promise.upcast])
    #expect(waitBlocking(race) == nil && race.result?.value == 2)
    let late = IntProbe()
    soon { late.resolver.reject(with: .failed) }
    let all = when(fulfilled: [step, late.promise.upcast])
    #expect(waitBlocking(all) == nil && all.result?.error is ProbeError)
    let limited = step.timeout(on: .utility, .milliseconds(20))
    #expect(waitBlocking(limited) == nil && limited.result?.error is PromiseTimeoutError<any Error>)
    let delayed = Promise<Int, any Error>(fulfilled: 2).delay(on: .default, .milliseconds(10))
    #expect(waitBlocking(delayed.map(on: .utility) { $0 }) == nil && delayed.result?.value == 2)
  }

  @Test("8.4 a wait with a limit ends in time even in a deadlock")
  @MainActor func mainLimited() {
    let step = Promise<Int, any Error>(fulfilled: 1).map(on: .main) { $0 }
    #expect(step.waitForResult(timeout: .milliseconds(50)) == nil)
    #expect(throws: PromiseWaitError.timedOut) { try step.wait(timeout: .milliseconds(50)) }
  }

  @Test("8.4 a callback on a serial queue cannot wait for work of that queue")
  func serialQueue() async {
    let queue = DispatchQueue(label: "serial")
    let errors = Promise<Int, any Error>(fulfilled: 1).map(on: .queue(queue)) { _ in
      [
        waitBlocking(Promise<Int, any Error>(fulfilled: 1).map(on: .queue(queue)) { $0 }),
        waitBlocking(probe.promise.always(on: .queue(queue)) { _ in }.makeChild()),
        waitBlocking(Promise<Int, any Error>(on: .queue(queue)) { $0.fulfill(with: 1) }),
      ]
    }
    #expect(await errors.outcome()?.value == [.deadlock, .deadlock, .deadlock])
    let inBody = Promise<PromiseWaitError?, any Error>(on: .queue(queue)) { resolver in
      resolver.fulfill(with: waitBlocking(Promise<Int, any Error>(fulfilled: 1).map(on: .queue(queue)) { $0 }))
    }
    #expect(await inBody.outcome()?.value == .deadlock)
  }

  @Test("8.4 a callback may wait for another queue and for its own concurrent queue")
  func otherQueues() async {
    let (queue, other) = (DispatchQueue(label: "same"), DispatchQueue(label: "same"))
    let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
    for (here, there) in [(queue, other), (concurrent, concurrent)] {
      let error = Promise<Int, any Error>(fulfilled: 1).map(on: .queue(here)) { _ in
        waitBlocking(Promise<Int, any Error>(fulfilled: 1).map(on: .queue(there)) { $0 })
      }
      #expect(await error.outcome()?.value == .some(nil))
    }
  }

  @Test("8.4 a callback may wait for its concurrent queue, suspended or behind a barrier")
  func closedConcurrentQueue() async {
    for hasBarrier in [false, true] {
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      let error = Promise<Int, any Error>(fulfilled: 1).map(on: .queue(queue)) { _ in
        queue.suspend()
        let step = Promise<Int, any Error>(fulfilled: 1).map(on: .queue(queue)) { $0 }
        if hasBarrier { queue.async(flags: .barrier) {} }
        // The queue stays closed for many looks of the wait.
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) { queue.resume() }
        return waitBlocking(step)
      }
      #expect(await error.outcome()?.value == .some(nil), "with a barrier: \(hasBarrier)")
    }
  }

  @Test("8.4 a block of a queue may wait for other queues and global ones")
  func blockOfOtherQueue() async {
    let (queue, other) = (DispatchQueue(label: "first"), DispatchQueue(label: "second"))
    for context in [PromiseContext.queue(other), .default, .queue(.global(qos: .default))] {
      let error = Promise<PromiseWaitError?, Never>(on: .immediate) { resolver in
        queue.async {
          _ = Promise<Int, Never>(fulfilled: 1).map(on: .queue(queue)) { $0 }
          resolver.fulfill(with: waitBlocking(Promise<Int, Never>(fulfilled: 1).map(on: context) { $0 }))
        }
      }
      #expect(await error.outcome()?.value == .some(nil))
    }
  }
}
