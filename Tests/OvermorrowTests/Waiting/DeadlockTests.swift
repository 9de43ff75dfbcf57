import Dispatch
import Overmorrow
import Testing

/// Blocks where the deadlock would be.
private func waitBlocking<Value, Failure>(_ promise: Promise<Value, Failure>) -> PromiseWaitError? {
  do throws(PromiseWaitError) {
    return try promise.waitForResult(timeout: .seconds(isSanitized ? 120 : 30)) == nil ? .timedOut : nil
  } catch {
    return error
  }
}

@Suite(.heavy) struct DeadlockTests {
  @Test("8.4 the main queue does not block for a step that has to run on it, however far up the chain")
  @MainActor func main() {
    let probe = IntProbe()
    let step = probe.promise.map(on: .main) { $0 }
    #expect(waitBlocking(step) == .deadlock)
    let far = step.map(on: .immediate) { $0 }.flatMap(on: .utility) { Promise(fulfilled: $0) }.ignoringCancel()
    #expect(waitBlocking(far) == .deadlock)
    #expect(waitBlocking(Promise<Int, any Error>(fulfilled: 1).map(on: .main) { $0 }) == .deadlock)
    #expect(waitBlocking(Promise<Int, any Error>(fulfilled: 1).map(on: .queue(.main)) { $0 }) == .deadlock)
  }

  @Test("8.4 the main queue does not block for a promise whose body has to run on it")
  @MainActor func mainBody() {
    #expect(waitBlocking(Promise<Int, any Error>(on: .main) { $0.fulfill(with: 1) }) == .deadlock)
    #expect(waitBlocking(Promise<Int, any Error>(on: .queue(.main)) { $0.fulfill(with: 1) }) == .deadlock)
    #expect(waitBlocking(DelayedPromise<Int, any Error>(on: .main) { $0.fulfill(with: 1) }.promise) == .deadlock)
  }

  @Test("8.4 the main queue does not block for a promise that adopts one of its steps later")
  @MainActor func mainAdopted() {
    let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) {
      resolver.resolve(with: Promise(fulfilled: 1).map(on: .main) { $0 })
    }
    #expect(waitBlocking(promise) == .deadlock)
  }

  @Test("8.4 the main queue may block for what runs elsewhere")
  @MainActor func mainMayBlock() {
    #expect(waitBlocking(Promise<Int, any Error>(on: .utility) { $0.fulfill(with: 1) }.map(on: .default) { $0 }) == nil)
  }

  @Test("8.4 a callback on a serial queue does not block for a step or a body that has to run on that queue")
  func serialQueue() async {
    let queue = DispatchQueue(label: "serial")
    let probe = IntProbe()
    let errors = Promise<Int, any Error>(fulfilled: 1).map(on: .queue(queue)) { _ in
      [
        waitBlocking(Promise<Int, any Error>(fulfilled: 1).map(on: .queue(queue)) { $0 }),
        waitBlocking(probe.promise.then(on: .queue(queue)) { _ in }.makeChild()),
        waitBlocking(Promise<Int, any Error>(on: .queue(queue)) { $0.fulfill(with: 1) }),
      ]
    }
    #expect(await errors.outcome()?.value == [.deadlock, .deadlock, .deadlock])
    let inBody = Promise<PromiseWaitError?, any Error>(on: .queue(queue)) { resolver in
      resolver.fulfill(with: waitBlocking(Promise<Int, any Error>(fulfilled: 1).map(on: .queue(queue)) { $0 }))
    }
    #expect(await inBody.outcome()?.value == .deadlock)
  }

  @Test("8.4 a callback may block for a step on another queue with the same label, and on its own concurrent queue")
  func otherQueues() async {
    let (queue, other) = (DispatchQueue(label: "same"), DispatchQueue(label: "same"))
    let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let onOther = Promise<Int, any Error>(fulfilled: 1).map(on: .queue(queue)) { _ in
      waitBlocking(Promise<Int, any Error>(fulfilled: 1).map(on: .queue(other)) { $0 })
    }
    #expect(await onOther.outcome()?.value == .some(nil))
    let onConcurrent = Promise<Int, any Error>(fulfilled: 1).map(on: .queue(concurrent)) { _ in
      waitBlocking(Promise<Int, any Error>(fulfilled: 1).map(on: .queue(concurrent)) { $0 })
    }
    #expect(await onConcurrent.outcome()?.value == .some(nil))
  }

  @Test("8.4 a callback does not block for an observer that its own thread serves after it")
  func nextInTurn() {
    let probe = IntProbe()
    let next = Holder<Promise<Int, ProbeError>>()
    let error = Holder<PromiseWaitError>()
    let first = probe.promise.then(on: .immediate) { _ in error.value = next.value.flatMap(waitBlocking) }
    next.value = probe.promise.then(on: .immediate) { _ in }
    probe.resolver.fulfill(with: 1)
    #expect(error.value == .deadlock)
    withExtendedLifetime(first) {}
  }
}
