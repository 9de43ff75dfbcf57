import Dispatch
import OvermorrowTesting
import Testing

@testable import Overmorrow

/// What suspending and resuming do to the steps of a chain.
@Suite(.inTurn) struct SuspendingTests {
  private typealias Subject = Promise<Int, Refusal>

  @Test("7.1 the step of a suspended promise does not start; resumed, it runs once")
  func stepDoesNotStart() {
    let (root, resolver) = Subject.makeWithResolver()
    let calls = Counter()
    let step = root.map(on: .immediate) { $0 + calls.increment() }
    step.suspend()
    resolver.fulfill(with: 1)
    #expect((step.isSuspended, step.result, calls.count) == (true, nil, 0))
    #expect(root.result == nil, "its only observer is suspended, so the root is too")
    step.resume()
    #expect((step.isSuspended, calls.count) == (false, 1))
    #expect(root.result == .value(1))
    #expect(step.result == .value(2))
    step.resume()
    #expect(calls.count == 1)
  }

  @Test("7.1 a step that waits for its context when it is suspended does not start, and runs there when it is resumed")
  func onItsContext() {
    let (context, calls) = (ManualContext(), Counter())
    let step = Subject(fulfilled: 1).map(on: context.context) { $0 + calls.increment() }
    step.suspend()
    context.runAll()
    #expect((step.result, calls.count) == (nil, 0))
    step.resume()
    #expect((step.result, calls.count, context.count) == (nil, 0, 1))
    context.runAll()
    #expect((step.result, calls.count) == (.value(2), 1))
  }

  @Test("7.1 a step suspended and resumed before its turn on its context runs once")
  func resumedBeforeItsTurn() {
    let (context, calls) = (ManualContext(), Counter())
    let step = Subject(fulfilled: 1).map(on: context.context) { $0 + calls.increment() }
    step.suspend()
    step.resume()
    context.runAll()
    #expect((step.result, calls.count) == (.value(2), 1))
  }

  @Test("7.1 a step on a queue keeps its queue through a suspension")
  func onItsQueue() async {
    let (root, resolver) = Subject.makeWithResolver()
    let queue = MarkedQueue()
    let step = root.makeChild().map(on: queue.context) { _ in queue.isCurrent ? 1 : 0 }
    let sibling = root.makeChild()
    queue.queue.suspend()
    resolver.fulfill(with: 1)
    step.suspend()
    queue.queue.resume()
    await queue.drain()
    #expect((step.result, sibling.result) == (nil, .value(1)))
    step.resume()
    #expect(await step.outcome() == .value(1))
  }

  @Test("7.1 a step that is running finishes, and the next one does not start until it is resumed")
  func runningStepFinishes() {
    let (root, resolver) = Subject.makeWithResolver()
    let chain = Holder<Subject>()
    let order = Recorder<String>()
    let first = root.map(on: .immediate) { value in
      chain.value?.suspend()
      order.record("first")
      return value + 1
    }
    let second = first.map(on: .immediate) { value in
      order.record("second")
      return value + 1
    }
    chain.value = second
    resolver.fulfill(with: 1)
    #expect(order.entries == ["first"])
    second.resume()
    #expect(order.entries == ["first", "second"])
    #expect(second.result == .value(3))
    chain.value = nil
  }

  @Test(
    "7.1 the observers of a suspended promise run in their order when it is resumed, also those that come meanwhile")
  func order() {
    let (root, resolver) = Subject.makeWithResolver()
    let order = Recorder<Int>()
    root.then(on: .immediate) { _ in order.record(0) }
    root.suspend()
    root.then(on: .immediate) { _ in order.record(1) }
    resolver.fulfill(with: 1)
    root.then(on: .immediate) { _ in order.record(2) }
    #expect(order.entries.isEmpty)
    root.resume()
    #expect(order.entries == [0, 1, 2])
  }

  @Test("7.1 an error is kept back like a value", arguments: [Ending.value, .error])
  func everyResult(_ ending: Ending) {
    let (root, resolver) = Subject.makeWithResolver()
    let next = root.always(on: .immediate) { _ in }
    root.suspend()
    resolver.resolve(with: ending.result(1, .first))
    #expect((root.result, next.result) == (nil, nil))
    root.resume()
    #expect(next.result == ending.result(1, .first))
  }

  @Test("7.1 a step that does not want the result passes it on only when it is resumed")
  func passing() {
    let (root, resolver) = Subject.makeWithResolver()
    let calls = Counter()
    let step = root.map(on: .immediate) { $0 + calls.increment() }
    let next = step.catch(on: .immediate) { _ in calls.increment() }
    let sibling = root.makeChild()
    step.suspend()
    resolver.reject(with: .first)
    #expect((sibling.result, step.result, calls.count) == (.error(.first), nil, 0))
    step.resume()
    #expect((step.result, calls.count) == (.error(.first), 1))
    withExtendedLifetime(next) {}
  }

  @Test("7.1 suspending a resolved promise, or resuming one that is not suspended, does nothing")
  func nothingToDo() {
    let promise = Subject(fulfilled: 1)
    promise.suspend()
    #expect(!promise.isSuspended)
    #expect(promise.map(on: .immediate) { $0 }.result == .value(1))
    let (root, resolver) = Subject.makeWithResolver()
    root.resume()
    resolver.fulfill(with: 2)
    #expect(root.result == .value(2))
  }

  @Test("7.1 a promise adopted by a suspended one is suspended with it, and its result goes on when that is resumed")
  func adoption() {
    let (inner, resolver) = Subject.makeWithResolver()
    let probe = SuspendableProbe()
    resolver.attach(probe)
    let outer = Subject(fulfilled: 1).flatMap(on: .immediate) { _ in inner }
    outer.suspend()
    #expect((outer.isSuspended, inner.isSuspended) == (true, true))
    #expect(probe.calls == [.suspend])
    resolver.fulfill(with: 2)
    #expect((outer.result, inner.result) == (nil, nil))
    outer.resume()
    #expect((outer.result, inner.result) == (.value(2), .value(2)))
  }

  @Test("7.1 7.10 what a step returns after it was suspended is suspended, too")
  func adoptingWhileSuspended() {
    let (root, rootResolver) = Subject.makeWithResolver()
    let (inner, resolver) = Subject.makeWithResolver()
    let probe = SuspendableProbe()
    resolver.attach(probe)
    let chain = Holder<Subject>()
    let outer = root.flatMap(on: .immediate) { _ in
      chain.value?.suspend()
      return inner
    }
    chain.value = outer
    rootResolver.fulfill(with: 1)
    #expect((inner.isSuspended, probe.calls) == (true, [.suspend]))
    outer.resume()
    #expect(probe.calls == [.suspend, .resume])
    resolver.fulfill(with: 3)
    #expect(outer.result == .value(3))
    chain.value = nil
  }

  @Test("7.1 an async wait for a suspended promise goes on when it is resumed")
  func waiting() async throws {
    let (root, resolver) = Subject.makeWithResolver()
    root.suspend()
    let waiting = Task { try await root.value }
    resolver.fulfill(with: 4)
    root.resume()
    #expect(try await waiting.value == 4)
  }

  @Test("7.1 a step that times out while it is suspended says so when it is resumed")
  func timingOut() {
    let (clock, context) = (TestClock(), ManualContext())
    let (root, resolver) = Subject.makeWithResolver()
    let step = root.timeout(on: context.context, delay: .seconds(1), clock: clock)
    step.suspend()
    clock.advance(by: .seconds(2))
    context.runAll()
    #expect(step.result == nil)
    step.resume()
    #expect(step.result == .error(.timedOut))
    withExtendedLifetime(resolver) {}
  }

  @Test("7.1 7.9 a suspended combinator suspends its inputs, and goes on when it is resumed")
  func combinator() {
    let probes = (0..<3).map { _ in SuspendableProbe() }
    let inputs = probes.map { probe in
      let (promise, resolver) = Subject.makeWithResolver()
      resolver.attach(probe)
      return (promise, resolver)
    }
    let whole = when(fulfilled: inputs.map(\.0))
    whole.suspend()
    #expect(probes.map(\.calls) == [[.suspend], [.suspend], [.suspend]])
    for (number, input) in inputs.enumerated() { input.1.fulfill(with: number) }
    #expect(whole.result == nil)
    whole.resume()
    #expect(whole.result == .value([0, 1, 2]))
  }
}
