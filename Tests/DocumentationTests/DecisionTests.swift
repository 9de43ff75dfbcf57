import Dispatch
import Overmorrow
import Testing

/// What the decisions in the package's folder `Documentation` rest on.
@Suite(.inTurn) struct DecisionTests {
  // MARK: 0001, one allocation for each promise

  @Test(
    "2.1 11.8 children of a promise whose last handle is gone still get its result, which no resolver keeps after them")
  func memoryOutlivesTheHandle() {
    let tracker = Tracker()
    let seen = Recorder<String>()
    let resolver = {
      let (promise, resolver) = Promise<Tracker.Tracked, Never>.makeWithResolver()
      promise.then(on: .immediate) { _ in seen.record("then") }
      promise.map(on: .immediate) { _ in 1 }.then(on: .immediate) { seen.record("\($0)") }
      return resolver
    }()
    resolver.fulfill(with: tracker.make())
    #expect(seen.entries == ["then", "1"])
    withExtendedLifetime(resolver) { #expect(tracker.count == 0) }
  }

  @Test("3.5 a cancellable and a token may outlive their promise, and then ask nobody")
  func weakUsesAfterTheEnd() {
    let asked = Counter()
    let token = PromiseInvalidationToken()
    let cancellable = { () -> PromiseCancellable in
      let (promise, resolver) = Promise<Int, Never>.makeWithResolver()
      resolver.onRequestCancel(on: .immediate) { _ in asked.increment() }
      promise.requestCancelOnInvalidate(token)
      return promise.cancellable
    }()
    cancellable.requestCancel()
    token.invalidate()
    #expect(asked.count == 0)
  }

  @Test(
    "1.2 resolving, dropping the last handle and asking from outside may meet in any order; everything is freed once")
  func endsMeet() {
    let tracker = Tracker()
    for _ in 0..<1000 {
      let (promise, resolver) = Promise<Tracker.Tracked, Never>.makeWithResolver()
      let value = tracker.make()
      let cancellable = promise.cancellable
      let handle = Guarded<Promise<Tracker.Tracked, Never>?>(promise.tap())
      let child = handle.withLock { $0?.map(on: .immediate) { [tracker] _ in tracker.make() } }
      DispatchQueue.concurrentPerform(iterations: 3) { index in
        switch index {
        case 0: resolver.fulfill(with: value)
        case 1: handle.withLock { $0 = nil }
        default: cancellable.requestCancel()
        }
      }
      #expect(child?.result != nil && promise.result != nil)
    }
    #expect(tracker.count == 0)
  }

  // MARK: 0002, immediate callbacks and the depth of the stack

  @Test("2.7 immediate callbacks that register the next one, 5,000 times, fit on a small stack and all run")
  func recursionOfCallbacks() {
    let levels = 5_000
    let reached = Counter()
    onThread(stackSize: 512 * 1024) {
      @Sendable func descend(from level: Int) {
        guard level < levels else { return }
        Promise<Int, Never>(fulfilled: level).then(on: .immediate) { level in
          reached.increment()
          descend(from: level + 1)
        }
      }
      descend(from: 0)
    }
    #expect(reached.count == levels)
  }

  @Test("2.7 callbacks that resolve the next promise, 5,000 times, fit on a small stack and all run")
  func recursionOfResolving() {
    let levels = 5_000
    let reached = Counter()
    onThread(stackSize: 512 * 1024) {
      var (next, resolver) = Promise<Int, Never>.makeWithResolver()
      next.then(on: .immediate) { _ in reached.increment() }
      for _ in 1..<levels {
        let (promise, before) = Promise<Int, Never>.makeWithResolver()
        promise.then(on: .immediate) { [resolver] value in
          reached.increment()
          resolver.fulfill(with: value)
        }
        (next, resolver) = (promise, before)
      }
      resolver.fulfill(with: 1)
    }
    #expect(reached.count == levels)
  }

  // MARK: 0003, adoption as a tail call

  @Test("2.4 a recursion through flatMap, 5,000 rounds of it, fits on a small stack")
  func recursionThroughFlatMap() async {
    let queue = DispatchQueue(label: "rounds")
    @Sendable func round(_ left: Int) -> Promise<Int, Never> {
      Promise<Int, Never>(on: .queue(queue)) { $0.fulfill(with: left) }
        .flatMap(on: .queue(queue)) { $0 == 0 ? Promise(fulfilled: 0) : round($0 - 1) }
    }
    #expect(await round(5_000).outcome() == .value(0))

    let immediate = onThread(stackSize: 512 * 1024) { () -> PromiseResult<Int, Never>? in
      @Sendable func round(_ left: Int) -> Promise<Int, Never> {
        Promise(fulfilled: left)
          .flatMap(on: .immediate) { $0 == 0 ? Promise(fulfilled: 0) : round($0 - 1) }
      }
      return round(5_000).result
    }
    #expect(immediate == .value(0))
  }

  @Test("2.4 a loop written as a recursion ends with its final answer")
  func polling() async {
    #expect(await poll().outcome()?.value?.isFinal == true)
  }

  @Test("1.8 a request to cancel reaches the round that is running, whichever links have been taken out")
  func requestThroughRounds() {
    let asked = Recorder<Int>()
    let resolvers = Recorder<Promise<Int, Never>.Resolver>()
    @Sendable func round(_ number: Int) -> Promise<Int, Never> {
      let (promise, resolver) = Promise<Int, Never>.makeWithResolver()
      resolver.onRequestCancel(on: .immediate) { resolver in
        asked.record(number)
        resolver.cancel()
      }
      resolvers.record(resolver)
      return promise.flatMap(on: .immediate) { round($0 + 1) }
    }
    let whole = round(0)
    for number in 0..<10 { resolvers.entries[number].fulfill(with: number) }
    #expect(whole.result == nil)
    whole.requestCancel()
    #expect(asked.entries == [10])
    #expect(whole.result == .cancelled)
  }

  @Test("1.7 promises that adopt one another in a circle are cancelled", arguments: 1...4)
  func circle(length: Int) {
    let links = (0..<length).map { _ in Promise<Int, Never>.makeWithResolver() }
    for (index, link) in links.enumerated() { link.1.resolve(with: links[(index + 1) % length].0) }
    #expect(links.allSatisfy { $0.0.result == .cancelled })
  }
}

// MARK: - Samples that are declarations

private func poll() -> Promise<Answer, any Error> {
  ask().flatMap(on: .utility) { answer in
    answer.isFinal ? Promise(fulfilled: answer) : poll()
  }
}

// MARK: - Stand-ins

private struct Answer: Sendable {
  let isFinal: Bool
}

private let questions = Counter()

private func ask() -> Promise<Answer, any Error> {
  Promise(on: .utility, fulfilled: Answer(isFinal: questions.increment() % 5 == 0), after: .zero)
}
