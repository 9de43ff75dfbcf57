import Overmorrow
import Testing

@Suite(.inTurn) struct PromiseExecutorTests {
  @Test("2.11 2.12 each step on an executor is submitted by its own call")
  func oneCallEach() {
    let executor = ManualContext()
    let last = Subject(fulfilled: 0)
      .map(on: executor.context) { $0 + 1 }
      .map(on: executor.context) { $0 + 1 }
      .map(on: executor.context) { $0 + 1 }
    for _ in 0..<3 {
      #expect((last.result, executor.count) == (nil, 1))
      executor.runNext()
    }
    #expect((last.result, executor.count) == (.value(3), 0))
  }

  @Test(
    "1.4 2.6 2.14 a dropped callback is released, observers pass the result on, and transforms are cancelled",
    arguments: TestedOperator.every, [false, true])
  func dropped(tested: TestedOperator, isLater: Bool) {
    for ending in tested.runsFor {
      let executor = ManualContext()
      let (runs, tracker) = (Counter(), Tracker())
      let (promise, resolver) = Subject.makeWithResolver()
      let context = isLater ? executor.context : .executor(DroppingExecutor())
      let child = tested(promise, on: context, tracker.callback { runs.increment() })
      resolver.resolve(with: ending.result(7, "no"))
      if isLater {
        #expect(tested.returnsReceiver || child.result == nil)
        #expect(tracker.count == 1)
        executor.dropAll()
      }
      #expect((runs.count, tracker.count) == (0, 0))
      #expect(child.result == (tested.observes ? ending.result(7, "no") : .cancelled))
    }
  }

  @Test(
    "2.11 2.13 an executor that runs work repeatedly inside the call runs each callback once",
    arguments: TestedOperator.every, [false, true])
  func inside(tested: TestedOperator, isResolved: Bool) throws {
    let ending = try #require(tested.runsFor.first)
    for times in [1, 3] {
      let runs = Counter()
      let (promise, resolver) = Subject.makeWithResolver()
      if isResolved { resolver.resolve(with: ending.result(7, "no")) }
      let child = tested(promise, on: .executor(RepeatingExecutor(times: times))) { runs.increment() }
      if !isResolved { resolver.resolve(with: ending.result(7, "no")) }
      #expect(runs.count == 1, "\(times) times")
      #expect(child.result == ending.result(7, "no"))
    }
  }

  @Test("2.11 2.12 an executor is retained only while a callback waits for it")
  func lifetime() {
    final class Kept: PromiseExecutor {
      let object: Tracker.Tracked
      init(_ object: Tracker.Tracked) { self.object = object }
      func enqueue(_ work: @escaping @Sendable () -> Void) { work() }
    }
    let tracker = Tracker()
    let (promise, resolver) = Subject.makeWithResolver()
    let observe = {
      let context = PromiseContext.executor(Kept(tracker.make()))
      return [promise.then(on: context) { _ in }, promise.catch(on: context) { _ in }]
    }
    let children = observe()
    #expect(tracker.count == 1)
    resolver.fulfill(with: 7)
    #expect(tracker.count == 0)
    #expect(children.map(\.result) == [.value(7), .value(7)])
  }
}
