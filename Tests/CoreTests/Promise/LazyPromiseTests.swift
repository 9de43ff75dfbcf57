import Overmorrow
import Testing

@Suite(.inTurn) struct LazyPromiseTests {
  private let runs = Counter()

  @Test("1.11 the body runs once, when the promise is first read")
  func startsOnFirstRead() {
    let later = LazyPromise<Int, Reason>(on: .immediate) { $0.fulfill(with: runs.increment()) }
    let copy = later
    #expect(runs.count == 0)
    let first = later.promise
    #expect((runs.count, first.result) == (1, .value(1)))
    #expect([later.promise, copy.promise] == [first, first])
    #expect(runs.count == 1)
  }

  @Test("1.11 an unread lazy promise releases its body without running it")
  func neverRead() {
    let tracker = Tracker()
    do {
      let later = LazyPromise<Int, Reason>(on: .immediate, tracker.callback { _ in _ = runs.increment() })
      withExtendedLifetime(later) { #expect(tracker.count == 1) }
    }
    #expect((tracker.count, runs.count) == (0, 0))
  }

  @Test("1.11 the body may read the promise itself")
  func reentrant() {
    let (holder, seen) = (Holder<LazyPromise<Int, Reason>>(), Holder<Subject>())
    holder.value = LazyPromise(on: .immediate) { resolver in
      seen.value = holder.value?.promise
      resolver.fulfill(with: runs.increment())
    }
    let promise = holder.value?.promise
    #expect(promise?.result == .value(1))
    #expect(seen.value == promise)
  }

  @Test("1.11 when threads read the promise at the same time, the body runs once")
  func concurrentReads() async {
    await race(
      rounds: 300,
      {
        let (runs, promises) = (Counter(), Recorder<Subject>())
        let later = LazyPromise<Int, Reason>(on: .immediate) { $0.fulfill(with: runs.increment()) }
        return (runs: runs, read: { @Sendable in promises.record(later.promise) }, promises: promises)
      },
      { $0.read() }, { $0.read() }, { $0.read() },
      check: { round in
        if round.runs.count != 1 { return "the body ran \(round.runs.count) times" }
        return Set(round.promises.entries).count == 1 ? nil : "different promises"
      })
  }
}
