import Dispatch
import Overmorrow
import OvermorrowFlow
import OvermorrowTesting
import Testing

/// The context on which a bounded `when` runs its closure and its iterator, and releases them.
@Suite(.inTurn) struct WhenBoundedContextTests {
  private let executor = ManualContext()

  typealias Work = WhenFulfilledBoundedTests.Work

  @Test("5.5 5.12 the closure and the iteration run on the context, one call after another")
  func context() async {
    let place = MarkedQueue(attributes: .concurrent)
    let (inside, calls) = (Counter(), Recorder<Int>())
    let all = when(
      fulfilled: (0..<100).lazy.map { number in
        #expect(place.isCurrent)
        return number
      }, maxConcurrent: 7, on: place.context
    ) { number -> Promise<Int, Never> in
      #expect(place.isCurrent)
      #expect(inside.increment() == calls.entries.count + 1)
      calls.record(number)
      return Promise(on: .utility) { $0.fulfill(with: number) }
    }
    #expect(await all.outcome() == .value(Array(0..<100)))
    #expect(calls.entries == Array(0..<100))
  }

  @Test("5.5 on a queue, one block starts all inputs that there is room for")
  func onePiece() {
    let work = Work(4)
    let all = work.run(2, on: executor.context)
    #expect(work.started.entries == [])
    #expect(executor.runAll() == 1)
    #expect(work.started.entries == [0, 1])
    work.inputs[0].resolver.fulfill(with: 0)
    work.inputs[1].resolver.fulfill(with: 1)
    #expect(work.started.entries == [0, 1])
    #expect(executor.runAll() == 1)
    #expect(work.started.entries == [0, 1, 2, 3])
    for index in 2..<4 { work.inputs[index].resolver.fulfill(with: index) }
    executor.runAll()
    #expect(all.result == .value([0, 1, 2, 3]))
  }

  @Test("7.1 no further input of a turn begins when its pause is suspended")
  func suspended() {
    let (pause, started) = (PromisePause(), Counter())
    let all = when(
      fulfilled: 0..<200, maxConcurrent: 200, on: executor.context.paused(by: pause)
    ) { number -> Promise<Int, Never> in
      if started.increment() == 50 { pause.suspend() }
      return Promise(fulfilled: number)
    }
    executor.runAll()
    #expect((started.count, all.result) == (50, nil))
    pause.resume()
    executor.runAll()
    #expect(started.count == 200)
    #expect(all.result == .value(Array(0..<200)))
  }

  @Test("5.5 a long sequence yields to other blocks of the queue after 1,000 inputs")
  func fairness() {
    let count = Counter()
    let all = when(fulfilled: 0..<2500, maxConcurrent: 1, on: executor.context) { number -> Promise<Int, Never> in
      count.increment()
      return Promise(fulfilled: number)
    }
    executor.runNext()
    #expect(count.count == 1000)
    #expect(executor.runAll() == 2)
    #expect(all.result == .value(Array(0..<2500)))
  }

  @Test("2.8 nowOr starts the first inputs inside the call, and the others on its context")
  func nowOr() {
    let work = Work(3)
    let isNow = Recorder<Bool>()
    let all = when(fulfilled: 0..<3, maxConcurrent: 2, on: .nowOr(executor.context)) { number in
      isNow.record(PromiseContext.isExecutingNow)
      return work.start(number)
    }
    #expect(work.started.entries == [0, 1])
    work.inputs[0].resolver.fulfill(with: 0)
    #expect(work.started.entries == [0, 1])
    executor.runAll()
    #expect(work.started.entries == [0, 1, 2])
    #expect(isNow.entries == [true, true, false])
    for index in 1..<3 { work.inputs[index].resolver.fulfill(with: index) }
    executor.runAll()
    #expect(all.result == .value([0, 1, 2]))
  }

  @Test("1.4 a context that drops its work cancels the promise, even while inputs are pending")
  func dropping() {
    #expect(Work(2).run(1, on: .executor(DroppingExecutor())).result == .cancelled)
    let executor = ManualContext()
    let work = Work(3)
    let all = work.run(2, on: executor.context)
    executor.runAll()
    work.inputs[0].resolver.fulfill(with: 0)
    executor.dropAll()
    #expect(all.result == .cancelled)
    #expect(work.started.entries == [0, 1])
  }

  @Test("2.13 an executor that runs its work twice starts each input once")
  func repeating() {
    let executor = RepeatingExecutor(times: 2)
    let work = Work(3)
    let all = work.run(1, on: .executor(executor))
    for index in 0..<3 { work.inputs[index].resolver.fulfill(with: index) }
    #expect(all.result == .value([0, 1, 2]))
    #expect(work.started.entries == [0, 1, 2])
  }

  @Test("4.1 after an invalidation, the next start cancels the promise without running the closure")
  func token() {
    let token = PromiseInvalidationToken()
    let work = Work(3)
    let all = work.run(1, token: token)
    token.invalidate()
    #expect(all.result == nil)
    work.inputs[0].resolver.fulfill(with: 0)
    #expect(all.result == .cancelled)
    #expect(work.started.entries == [0])
    // A token can be used again after an invalidation.
    let other = Work(1)
    let one = other.run(1, token: token)
    other.inputs[0].resolver.fulfill(with: 5)
    #expect(one.result == .value([5]))
  }

  // MARK: Release

  /// Returns whether the closure is released on the executor after `end` has ended the promise.
  private func isReleased(by end: (Work, Promise<[Int], Flaw>) -> Void) -> Bool {
    let executor = ElsewhereExecutor()
    let tracker = Tracker()
    let wasThere = Holder<Bool>()
    let work = Work(3)
    let all: Promise<[Int], Flaw>
    do {
      let object = tracker.make { wasThere.value = executor.isCurrent }
      all = when(fulfilled: 0..<3, maxConcurrent: 1, on: .executor(executor)) { number in
        withExtendedLifetime(object) {}
        return work.start(number)
      }
    }
    end(work, all)
    return tracker.count == 0 && wasThere.value == true
  }

  @Test("2.6 5.12 the closure is released on its context after the last start, failure or request")
  func releasedThere() {
    #expect(isReleased { work, _ in for index in 0..<3 { work.inputs[index].resolver.fulfill(with: index) } })
    #expect(isReleased { work, _ in work.inputs[0].resolver.reject(with: "no") })
    #expect(
      isReleased { work, all in
        all.requestCancel()
        work.inputs[0].resolver.fulfill(with: 0)
      })
  }

  @Test("2.6 3.6 a request before the first start cancels at once and releases the closure")
  func releasedAtOnce() {
    let tracker = Tracker()
    do {
      let object = tracker.make()
      let all = when(fulfilled: 0..<3, maxConcurrent: 1, on: executor.context) { number in
        withExtendedLifetime(object) {}
        return Promise<Int, Never>(fulfilled: number)
      }
      all.requestCancel()
      #expect(all.result == .cancelled)
    }
    #expect(tracker.count == 0)
    #expect(executor.runAll() == 1)
  }
}
