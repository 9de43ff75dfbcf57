import Overmorrow
import OvermorrowTesting
import Testing

@Suite(.inTurn) struct DelayedPromiseTests {
  @Test("1.11 the body waits for the first read of the promise, and runs once")
  func startsOnFirstRead() {
    let runs = Counter()
    let delayed = DelayedPromise<Int, Reason>(on: .immediate) { $0.fulfill(with: runs.increment()) }
    let copy = delayed
    #expect(runs.count == 0)
    let first = delayed.promise
    #expect(runs.count == 1)
    #expect(first.result == .value(1))
    #expect(delayed.promise == first)
    #expect(copy.promise == first)
    #expect(runs.count == 1)
  }

  @Test("1.11 the body runs on its context")
  func context() async {
    let place = MarkedQueue()
    let delayed = DelayedPromise<Bool, Reason>(on: place.context) { $0.fulfill(with: place.isCurrent) }
    #expect(await delayed.promise.outcome() == .value(true))
  }

  @Test("1.11 a body that is never asked for never runs, and goes with the delayed promise")
  func neverRead() {
    let tracker = Tracker()
    let runs = Counter()
    do {
      let delayed = DelayedPromise<Int, Reason>(on: .immediate) { [object = tracker.make()] _ in
        withExtendedLifetime(object) { _ = runs.increment() }
      }
      withExtendedLifetime(delayed) { #expect(tracker.count == 1) }
    }
    #expect(tracker.count == 0)
    #expect(runs.count == 0)
  }

  @Test("1.11 the body goes when it has run, while the delayed promise is still there")
  func bodyIsReleased() {
    let tracker = Tracker()
    let executor = ManualContext()
    let delayed = DelayedPromise<Int, Reason>(on: executor.context) { [object = tracker.make()] resolver in
      withExtendedLifetime(object) { resolver.fulfill(with: 7) }
    }
    #expect(tracker.count == 1)
    _ = delayed.promise
    #expect(tracker.count == 1)
    executor.runAll()
    #expect(tracker.count == 0)
    #expect(delayed.promise.result == .value(7))
  }

  @Test("1.11 the body may ask for the promise itself")
  func reentrant() {
    let holder = Holder<DelayedPromise<Int, Reason>>()
    let seen = Holder<Promise<Int, Reason>>()
    let runs = Counter()
    let delayed = DelayedPromise<Int, Reason>(on: .immediate) { resolver in
      seen.value = holder.value?.promise
      resolver.fulfill(with: runs.increment())
    }
    holder.value = delayed
    let promise = delayed.promise
    #expect(seen.value == promise)
    #expect(promise.result == .value(1))
    holder.value = nil
  }

  @Test("1.11 of threads that ask at the same time one starts the body, and all get the same promise")
  func concurrentReads() async {
    struct Round: Sendable {
      let runs = Counter()
      let promises = Recorder<Promise<Int, Reason>>()
      let delayed: DelayedPromise<Int, Reason>

      init() { delayed = DelayedPromise(on: .immediate) { [runs] in $0.fulfill(with: runs.increment()) } }
    }
    let read: @Sendable (Round) -> Void = { $0.promises.record($0.delayed.promise) }
    let findings = await race(
      rounds: 300, { Round() }, [read, read, read],
      check: { round in
        if round.runs.count != 1 { return "the body ran \(round.runs.count) times" }
        return Set(round.promises.entries).count == 1 ? nil : "different promises"
      })
    #expect(findings.first == nil)
  }

  @Test("1.11 a body that throws rejects")
  func throwing() {
    let typed = DelayedPromise<Int, Refusal>(on: .immediate) { _ throws(Refusal) in throw .second }
    let any = DelayedPromise<Int, any Error>(on: .immediate) { _ in throw Refusal.third }
    #expect(typed.promise.result == .error(.second))
    #expect(any.promise.result?.error as? Refusal == .third)
  }

  @Test("1.11 a context that drops the body cancels the promise")
  func dropped() {
    let delayed = DelayedPromise<Int, Reason>(on: .executor(DroppingExecutor())) { $0.fulfill(with: 7) }
    #expect(delayed.promise.result == .cancelled)
  }

  @Test("1.11 an executor that runs work repeatedly still runs the body once")
  func repeated() {
    let runs = Counter()
    let delayed = DelayedPromise<Int, Reason>(on: .executor(RepeatingExecutor(times: 3))) { _ in runs.increment() }
    _ = delayed.promise
    #expect(runs.count == 1)
  }

  @Test("1.11 1.12 delayed promises are equal when they are copies of one another")
  func identity() {
    let one = DelayedPromise<Int, Reason>(on: .immediate) { $0.fulfill(with: 7) }
    let copy = one
    let other = DelayedPromise<Int, Reason>(on: .immediate) { $0.fulfill(with: 7) }
    #expect(one == copy)
    #expect(one != other)
  }

  @Test("1.11 a request to cancel reaches the body's resolver")
  func cancellation() {
    let kept = Holder<DelayedPromise<Int, Reason>.Resolver>()
    let delayed = DelayedPromise<Int, Reason>(on: .immediate) { resolver in
      kept.value = resolver
      resolver.onRequestCancel(on: .immediate) { $0.reject(with: "asked") }
    }
    delayed.promise.requestCancel()
    #expect(delayed.promise.result == .error("asked"))
  }

  @Test("2.8 in a delayed promise `.nowOr(c)` is `c`")
  func nowOr() {
    let executor = ManualContext()
    let delayed = DelayedPromise<Int, Reason>(on: .nowOr(executor.context)) { $0.fulfill(with: 7) }
    let promise = delayed.promise
    #expect(promise.result == nil)
    executor.runAll()
    #expect(promise.result == .value(7))
  }
}
