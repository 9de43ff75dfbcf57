import OvermorrowTesting
import Testing

@testable import Overmorrow

/// How suspended promises end: cancelled, or dropped.
@Suite(.inTurn) struct SuspendingCancelTests {
  private typealias Subject = Promise<Int, Refusal>

  @Test("7.3 a suspended step that is cancelled settles at once, does not run, and its callback is released")
  func step() {
    let (root, resolver) = Subject.makeWithResolver()
    let (tracker, calls) = (Tracker(), Counter())
    let step = { [tracked = tracker.make()] in
      root.map(on: .immediate) { value in withExtendedLifetime(tracked) { value + calls.increment() } }
    }()
    step.suspend()
    step.requestCancel()
    #expect((step.result, tracker.count) == (.cancelled, 0))
    resolver.fulfill(with: 1)
    #expect((root.result, calls.count) == (.value(1), 0))
  }

  @Test("7.3 a suspended step whose source has resolved settles at once, too")
  func readyStep() {
    let (context, calls, tracker) = (ManualContext(), Counter(), Tracker())
    let step = { [tracked = tracker.make()] in
      Subject(fulfilled: 1).map(on: context.context) { value in
        withExtendedLifetime(tracked) { value + calls.increment() }
      }
    }()
    step.suspend()
    context.runAll()
    step.requestCancel()
    #expect((step.result, tracker.count, calls.count) == (.cancelled, 0, 0))
    step.resume()
    context.runAll()
    #expect(calls.count == 0)
  }

  @Test("7.3 a suspended promise with a silent producer settles at once; what the producer says afterwards is dropped")
  func silentProducer() {
    let tracker = Tracker()
    let (root, resolver) = Promise<Tracker.Tracked, Refusal>.makeWithResolver()
    let next = root.always(on: .immediate) { _ in }
    root.suspend()
    root.requestCancel()
    #expect(isCancelled(root.result) && isCancelled(next.result))
    resolver.fulfill(with: tracker.make())
    #expect(isCancelled(root.result))
    #expect(tracker.count == 0)
  }

  @Test("7.3 a suspended promise that has its result already settles as cancelled, and the result is released")
  func keptResult() {
    let tracker = Tracker()
    let (root, resolver) = Promise<Tracker.Tracked, Refusal>.makeWithResolver()
    root.suspend()
    resolver.fulfill(with: tracker.make())
    #expect(tracker.count == 1)
    root.requestCancel()
    #expect(isCancelled(root.result))
    #expect(tracker.count == 0)
  }

  @Test("7.3 a step that is running when its chain is suspended and cancelled finishes, and its result is dropped")
  func runningStep() {
    let (root, resolver) = Subject.makeWithResolver()
    let chain = Holder<Subject>()
    let during = Holder<PromiseResult<Int, Refusal>>()
    let step = root.map(on: .immediate) { value in
      chain.value?.suspend()
      chain.value?.requestCancel()
      during.value = chain.value?.result
      return value
    }
    chain.value = step
    resolver.fulfill(with: 1)
    #expect((during.value, step.result) == (.cancelled, .cancelled))
    chain.value = nil
  }

  @Test("7.3 a promise that a step returns after it was suspended and cancelled is asked to cancel")
  func returnedPromise() {
    let (root, resolver) = Subject.makeWithResolver()
    let chain = Holder<Subject>()
    let (inner, innerResolver) = Subject.makeWithResolver()
    let holder = Holder(inner.makeChild())
    let step = root.flatMap(on: .immediate) { _ in
      chain.value?.suspend()
      chain.value?.requestCancel()
      defer { holder.value = nil }
      return holder.value ?? Subject(fulfilled: 0)
    }
    chain.value = step
    resolver.fulfill(with: 1)
    #expect(step.result == .cancelled)
    chain.value = nil
    withExtendedLifetime(innerResolver) {}
  }

  @Test("7.3 the whole chain settles, up to the producer, which is told")
  func chain() {
    let (tail, resolver, probe) = {
      let (root, resolver) = Subject.makeWithResolver()
      let probe = SuspendableProbe()
      resolver.attach(probe)
      return (root.map(on: .immediate) { $0 }.map(on: .immediate) { $0 }, resolver, probe)
    }()
    tail.suspend()
    tail.requestCancel()
    #expect(tail.result == .cancelled)
    #expect(probe.calls == [.suspend, .cancel])
    #expect(resolver.hasRequestedCancel)
  }

  @Test("7.3 a request that came before the suspension settles the promise when it is suspended")
  func requestedBefore() {
    let (root, resolver) = Subject.makeWithResolver()
    root.requestCancel()
    #expect(root.result == nil)
    root.suspend()
    #expect(root.result == .cancelled)
    withExtendedLifetime(resolver) {}
  }

  @Test("7.3 a producer that cancels is not kept back, nor is one that drops its resolver")
  func producerCancels() {
    let (first, firstResolver) = Subject.makeWithResolver()
    first.suspend()
    firstResolver.cancel()
    #expect((first.result, first.isSuspended) == (.cancelled, false))
    let second = Holder(Subject.makeWithResolver().1)
    let (third, thirdResolver) = Subject.makeWithResolver()
    let box = Holder(thirdResolver)
    third.suspend()
    box.value = nil
    second.value = nil
    withExtendedLifetime(third) {}
  }

  @Test("7.3 a suspended adopter that is cancelled settles, and its inner promise goes on for others")
  func adopter() {
    let (inner, resolver) = Subject.makeWithResolver()
    let other = inner.makeChild()
    let outer = Subject(fulfilled: 1).flatMap(on: .immediate) { _ in inner }
    outer.suspend()
    outer.requestCancel()
    #expect((outer.result, other.result) == (.cancelled, nil))
    resolver.fulfill(with: 2)
    #expect((outer.result, other.result) == (.cancelled, .value(2)))
  }

  @Test("7.1 7.5 a suspension ends with the last handle, and nothing of it is left")
  func dropped() {
    let (tracker, calls) = (Tracker(), Counter())
    let (root, resolver) = Promise<Tracker.Tracked, Refusal>.makeWithResolver()
    do {
      let step = root.map(on: .immediate) { [tracked = tracker.make()] value in
        calls.increment()
        return withExtendedLifetime(tracked) { value }
      }
      step.suspend()
      step.then(on: .immediate) { _ in calls.increment() }
      resolver.fulfill(with: tracker.make())
      #expect((tracker.count, calls.count) == (2, 0))
    }
    #expect(calls.count == 2)
    #expect(tracker.count == 1, "the root's own value")
  }

  @Test("7.1 a suspended chain dropped with its resolver leaves nothing behind")
  func droppedUnresolved() {
    let tracker = Tracker()
    do {
      let (root, resolver) = Subject.makeWithResolver()
      let tail = root.map(on: .immediate) { [tracked = tracker.make()] value in withExtendedLifetime(tracked) { value }
      }
      .map(on: .utility) { [tracked = tracker.make()] value in withExtendedLifetime(tracked) { value } }
      tail.suspend()
      #expect(tracker.count == 2)
      withExtendedLifetime(resolver) {}
    }
    #expect(tracker.count == 0)
  }

  private func isCancelled<Value, Failure>(_ result: PromiseResult<Value, Failure>?) -> Bool {
    if case .cancelled? = result { true } else { false }
  }
}
