import Overmorrow
import OvermorrowTesting
import Testing

@Suite(.inTurn) struct AfterTests {
  private let executor = ManualContext()

  typealias Outcome = PromiseResult<Int, Flaw>

  private let clock = TestClock()

  @Test(
    "1.5 6.1 a delayed promise resolves after the delay, and not before",
    arguments: [Outcome.value(1), .error("no"), .cancelled])
  func resolves(result: Outcome) async {
    let promise = Promise(on: .immediate, with: result, after: .seconds(10), clock: clock)
    #expect(clock.sleeperCount == 1)
    await clock.advance(by: .seconds(9))
    #expect(clock.sleeperCount == 1)
    #expect(promise.result == nil)
    await clock.advance(by: .seconds(1))
    #expect(await promise.outcome() == result)
  }

  @Test("1.5 fulfilled: and rejected: say what becomes of it")
  func forms() async {
    let fulfilled = Promise<Int, Flaw>(on: .immediate, fulfilled: 1, after: .seconds(1), clock: clock)
    let rejected = Promise<Int, Flaw>(on: .immediate, rejected: "no", after: .seconds(2), clock: clock)
    #expect(clock.sleeperCount == 2)
    await clock.advance(by: .seconds(1))
    #expect(await fulfilled.outcome() == .value(1))
    #expect(rejected.result == nil)
    await clock.advance(by: .seconds(1))
    #expect(await rejected.outcome() == .error("no"))
  }

  @Test(
    "1.5 it cancels inside a request to cancel, and its timer is gone",
    arguments: [Outcome.value(1), .error("no"), .cancelled])
  func cancels(result: Outcome) async {
    let promise = Promise(with: result, after: .seconds(10), clock: clock)
    #expect(clock.sleeperCount == 1)
    promise.requestCancel()
    #expect(promise.result == .cancelled)
    #expect(clock.sleeperCount == 0)
  }

  @Test("1.5 3.2 it cancels at once when its last child asks, although its context is busy")
  func cancelsByVote() {
    let children = {
      let promise = Promise<Int, Flaw>(on: executor.context, fulfilled: 1, after: .seconds(10), clock: clock)
      return [promise.makeChild(), promise.makeChild()]
    }()
    children[0].requestCancel()
    #expect(children[1].result == nil)
    children[1].requestCancel()
    #expect(children.map(\.result) == [.cancelled, .cancelled])
    #expect(executor.count == 0)
  }

  @Test("1.5 a request between the end of the delay and the turn of the context still cancels")
  func cancelsWhileHandedOver() async {
    let promise = Promise<Int, Flaw>(on: executor.context, fulfilled: 1, after: .seconds(1), clock: clock)
    await clock.advance(by: .seconds(1))
    await executor.waitForWork()
    promise.requestCancel()
    #expect(promise.result == .cancelled)
    executor.runAll()
    #expect(promise.result == .cancelled)
  }

  @Test("1.5 a request after the result changes nothing")
  func cancelsTooLate() async {
    let promise = Promise<Int, Flaw>(on: .immediate, fulfilled: 1, after: .zero, clock: clock)
    #expect(await promise.outcome() == .value(1))
    promise.requestCancel()
    #expect(promise.result == .value(1))
  }

  @Test("1.4 an executor that drops the work cancels the promise")
  func dropped() async {
    let promise = Promise<Int, Flaw>(on: executor.context, rejected: "no", after: .seconds(1), clock: clock)
    await clock.advance(by: .seconds(1))
    await executor.waitForWork()
    executor.dropAll()
    #expect(await promise.outcome("the promise whose work was dropped") == .cancelled)
  }

  @Test(
    "1.5 a delay of zero or less resolves as soon as possible, on the context",
    arguments: [Duration.zero, .seconds(-1)])
  func notPositive(delay: Duration) async {
    let promise = Promise<Int, Flaw>(on: .nowOr(executor.context), fulfilled: 1, after: delay)
    await executor.waitForWork()
    #expect(promise.result == nil)
    executor.runAll()
    #expect(promise.result == .value(1))
  }

  @Test("1.5 delayed promises on one clock resolve each at its own time")
  func order() async {
    let promises = [3, 1, 2].map {
      Promise<Int, Flaw>(on: .immediate, fulfilled: $0, after: .seconds($0), clock: clock)
    }
    for (time, index) in [(1, 1), (2, 2), (3, 0)] {
      #expect(clock.sleeperCount == 4 - time)
      await clock.advance(by: .seconds(1))
      #expect(await promises[index].outcome() == .value(time))
      #expect(promises.filter { $0.result != nil }.count == time)
    }
  }
}
