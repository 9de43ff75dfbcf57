import Overmorrow
import OvermorrowTesting
import Testing

@Suite(.inTurn) struct LazyPromiseTests {
  private let runs = Counter()

  @Test("1.11 the body waits for the first read of the promise, and runs once")
  func startsOnFirstRead() {
    let later = LazyPromise<Int, Reason>(on: .immediate) { $0.fulfill(with: runs.increment()) }
    let copy = later
    #expect(runs.count == 0)
    let first = later.promise
    #expect(runs.count == 1)
    #expect(first.result == .value(1))
    #expect(later.promise == first)
    #expect(copy.promise == first)
    #expect(runs.count == 1)
  }

  @Test("1.11 a body that is never asked for never runs, and goes with the lazy promise")
  func neverRead() {
    let tracker = Tracker()
    do {
      let later = LazyPromise<Int, Reason>(on: .immediate, tracker.callback { _ in _ = runs.increment() })
      withExtendedLifetime(later) { #expect(tracker.count == 1) }
    }
    #expect(tracker.count == 0)
    #expect(runs.count == 0)
  }

  @Test("1.11 the body may ask for the promise itself")
  func reentrant() {
    let holder = Holder<LazyPromise<Int, Reason>>()
    let seen = Holder<Promise<Int, Reason>>()
    let later = LazyPromise<Int, Reason>(on: .immediate) { resolver in
      seen.value = holder.value?.promise
      resolver.fulfill(with: runs.increment())
    }
    holder.value = later
    let promise = later.promise
    #expect(seen.value == promise)
    #expect(promise.result == .value(1))
    holder.value = nil
  }

  @Test("1.11 of threads that ask at the same time one starts the body, and all get the same promise")
  func concurrentReads() async {
    struct Round: Sendable {
      let runs = Counter()
      let promises = Recorder<Promise<Int, Reason>>()
      let later: LazyPromise<Int, Reason>

      init() { later = LazyPromise(on: .immediate) { [runs] in $0.fulfill(with: runs.increment()) } }
    }
    let read: @Sendable (Round) -> Void = { $0.promises.record($0.later.promise) }
    await race(
      rounds: 300, { Round() }, [read, read, read],
      check: { round in
        if round.runs.count != 1 { return "the body ran \(round.runs.count) times" }
        return Set(round.promises.entries).count == 1 ? nil : "different promises"
      })
  }

  @Test("1.11 1.12 lazy promises are equal when they are copies of one another")
  func identity() {
    let one = LazyPromise<Int, Reason>(on: .immediate) { $0.fulfill(with: 7) }
    let copy = one
    let other = LazyPromise<Int, Reason>(on: .immediate) { $0.fulfill(with: 7) }
    #expect(one == copy)
    #expect(one != other)
  }

  @Test("2.8 in a lazy promise `.nowOr(c)` is `c`")
  func nowOr() {
    let executor = ManualContext()
    let later = LazyPromise<Int, Reason>(on: .nowOr(executor.context)) { $0.fulfill(with: 7) }
    let promise = later.promise
    #expect(promise.result == nil)
    executor.runAll()
    #expect(promise.result == .value(7))
  }
}
