import Dispatch
import OvermorrowTesting
import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// The progress of the work behind a promise.
@Suite(.inTurn) struct PromiseProgressTests {
  private let progress = PromiseProgress(total: 3)

  private typealias Subject = Promise<Int, Refusal>

  private let observers = Tracker()

  /// Returns a recorder of the steps that an observer receives. The observer retains an object of `observers`.
  private func follow(
    _ progress: PromiseProgress, on context: PromiseContext = .immediate
  ) -> Recorder<PromiseProgress.Step> {
    let (heard, tracked) = (Recorder<PromiseProgress.Step>(), observers.make())
    progress.onProgress(on: context) { step in withExtendedLifetime(tracked) { heard.record(step) } }
    return heard
  }

  @Test("10.2 12.1 completed progress never decreases, and a smaller report is ignored")
  func monotonic() {
    let progress = PromiseProgress(total: 10)
    let heard = follow(progress)
    for completed in [3, 2, 3, 7] as [Int64] { progress.report(completed: completed) }
    #expect(heard.entries.map(\.completed) == [0, 3, 7])
    #expect(progress.current.fraction == 0.7)
  }

  @Test("10.2 12.2 the total may be unknown, and become known later")
  func unknownTotal() {
    let progress = PromiseProgress()
    progress.report(completed: 5)
    #expect((progress.current.total, progress.current.fraction) == (nil, nil))
    progress.report(completed: 6, of: 12)
    #expect(progress.current.fraction == 0.5)
    progress.report(completed: 20)
    #expect(progress.current.fraction == 1)
  }

  @Test(
    "10.2 12.3 progress ends with its promise and is complete if that is fulfilled",
    arguments: Ending.allCases, [4, nil] as [Int64?])
  func ends(_ ending: Ending, total: Int64?) {
    let (promise, progress) = Subject.withProgress(on: .immediate, total: total) { resolver, progress in
      progress.report(completed: 1)
      resolver.resolve(with: ending.result(1, .first))
      progress.report(completed: 3)
    }
    #expect(promise.result == ending.result(1, .first))
    let end = progress.current
    #expect(end.isFinished)
    #expect(end.completed == (ending == .value ? total ?? 1 : 1))
    // Without a total, the completed units count as the total.
    #expect(end.total == (ending == .value ? total ?? 1 : total))
  }

  @Test("10.2 a body that throws rejects the promise, and ends the progress")
  func throwing() {
    let (promise, progress) = Subject.withProgress(on: .immediate) { _, progress throws(Refusal) in
      progress.report(completed: 1, of: 2)
      throw .second
    }
    #expect(promise.result == .error(.second))
    #expect((progress.current.isFinished, progress.current.fraction) == (true, 0.5))
  }

  @Test("10.2 12.4 an observer receives the newest step and the end on its context")
  func newest() {
    let context = ManualContext()
    let heard = follow(progress, on: context.context)
    progress.report(completed: 1)
    progress.report(completed: 2)
    #expect(context.count == 1)
    context.runAll()
    #expect(heard.entries.map(\.completed) == [2])
    progress.finish(isComplete: true)
    #expect(observers.count == 1)
    context.runAll()
    #expect(heard.entries.last?.isFinished == true)
    #expect(observers.count == 0)
  }

  @Test("12.10 an observer receives one step per turn, even while others report")
  func turns() {
    let (context, heard) = (ManualContext(), Recorder<Int64>())
    let progress = PromiseProgress(total: 9)
    // Reports from inside the handler stand for reports from other threads.
    progress.onProgress(on: context.context) { step in
      heard.record(step.completed)
      if step.completed < 9 { progress.report(completed: step.completed + 1) }
    }
    for count in 1...10 {
      #expect((context.count, heard.entries.count) == (1, count - 1))
      context.runNext()
    }
    #expect(heard.entries == Array(0...9))
    #expect(context.count == 0)
  }

  @Test(
    "12.10 on .immediate, steps reported inside a callback arrive in order, with the end", arguments: [false, true])
  func turnsOnImmediate(isNowOr: Bool) async {
    let (heard, isOver) = (Recorder<Int64>(), Latch())
    let progress = PromiseProgress(total: 1000)
    progress.onProgress(on: isNowOr ? .nowOr(.utility) : .immediate) { step in
      heard.record(step.completed)
      if step.isFinished { return isOver.signal() }
      // The rest is delivered elsewhere, so that it does not delay the thread that reported first.
      if step.completed > 0 { progress.report(completed: step.completed + 1) }
      if step.completed == 1000 { progress.finish(isComplete: true) }
    }
    progress.report(completed: 1)
    await isOver.wait(for: "the end of the progress")
    #expect(heard.entries == heard.entries.sorted())
  }

  @Test("12.10 an executor that runs a turn twice delivers nothing twice")
  func twice() {
    let heard = Recorder<Int64>()
    let executor = RepeatingExecutor(times: 2)
    progress.onProgress(on: .executor(executor)) { step in
      heard.record(step.completed)
      if step.completed == 1 { progress.report(completed: 2) }
    }
    progress.report(completed: 1)
    progress.finish(isComplete: true)
    #expect(heard.entries == [0, 1, 2, 3])
  }

  @Test("12.11 an observer receives the steps after one that its executor has dropped")
  func droppedTurn() {
    let context = ManualContext()
    let heard = follow(progress, on: context.context)
    context.dropAll()
    progress.report(completed: 1)
    progress.report(completed: 2)
    // The first report requested this turn; the second has not been delivered yet.
    context.dropAll()
    context.runAll()
    #expect(heard.entries.map(\.completed) == [2])
    progress.finish(isComplete: true)
    #expect(observers.count == 1)
    context.dropAll()
    #expect((heard.entries.count, observers.count) == (1, 0))
  }

  @Test("10.2 12.4 an observer that is registered after the end receives the end and is released")
  func late() {
    progress.finish(isComplete: false)
    #expect(follow(progress).entries.map(\.isFinished) == [true])
    #expect(observers.count == 0)
  }

  @Test("4.1 12.9 an invalidated token suppresses the callback")
  func token() {
    let (token, heard) = (PromiseInvalidationToken(), Counter())
    progress.onProgress(on: .immediate, token: token) { _ in heard.increment() }
    token.invalidate()
    progress.report(completed: 1)
    #expect(heard.count == 1)
  }

  @MainActor
  @Test("10.2 a callback that is isolated to an actor runs there")
  func isolated() async {
    let done = Latch()
    var last: Int64 = 0
    let progress = PromiseProgress(total: 3)
    progress.onProgress { step in
      last = step.completed
      if step.isFinished { done.signal() }
    }
    progress.finish(isComplete: true)
    await done.wait(for: "the end of the progress")
    #expect(last == 3)
  }

  @Test("10.2 12.5 a loop over progress receives the newest step and ends with the promise")
  func sequence() async {
    let progress = PromiseProgress(total: 4)
    var iterator = progress.makeAsyncIterator()
    progress.report(completed: 1)
    progress.report(completed: 2)
    #expect(await iterator.next()?.completed == 2)
    progress.finish(isComplete: true)
    #expect(await iterator.next()?.isFinished == true)
    #expect(await iterator.next() == nil)
    var steps: [Int64] = []
    for await step in progress { steps.append(step.completed) }
    #expect(steps == [4])
  }

  @Test("10.2 12.6 parts are weighted and combined, and the whole ends with the last part")
  func combined() {
    let parts = [PromiseProgress(total: 10), PromiseProgress()]
    let whole = PromiseProgress(combining: zip(parts, [1, 3]).map { (progress: $0, weight: $1) })
    parts[0].report(completed: 5)
    #expect(whole.current.fraction == 0.125)
    parts[1].report(completed: 100)
    #expect(whole.current.fraction == 0.125)
    parts[1].finish(isComplete: true)
    #expect((whole.current.fraction, whole.current.isFinished) == (0.875, false))
    parts[0].finish(isComplete: true)
    #expect((whole.current.fraction, whole.current.isFinished) == (1, true))
    #expect(PromiseProgress(combining: [PromiseProgress]()).current.isFinished)
  }

  @Test("10.2 12.7 a whole with a failed part ends without being complete")
  func combinedFailure() {
    let parts = [PromiseProgress(total: 10), PromiseProgress(total: 10)]
    let whole = PromiseProgress(combining: parts)
    parts[0].finish(isComplete: true)
    parts[1].report(completed: 5)
    parts[1].finish(isComplete: false)
    #expect((whole.current.isFinished, whole.current.fraction) == (true, 0.75))
  }

  @Test("12.13 a negative total means an unknown one", arguments: [-1, .min] as [Int64])
  func negativeTotal(_ total: Int64) {
    let progress = PromiseProgress(total: total)
    #expect((progress.current.total, progress.current.fraction) == (nil, nil))
    let whole = PromiseProgress(combining: [progress])
    progress.report(completed: 5, of: total)
    #expect((progress.current.total, progress.current.fraction) == (nil, nil))
    progress.report(completed: 6, of: 12)
    progress.report(completed: 9, of: total)
    #expect((progress.current.total, progress.current.fraction, whole.current.fraction) == (12, 0.75, 0.75))
  }

  @Test("12.13 a total of zero has no fraction, and its part contributes only when complete")
  func zeroTotal() {
    let parts = [PromiseProgress(total: 0), PromiseProgress(total: 0), PromiseProgress(total: 0)]
    let whole = PromiseProgress(combining: parts)
    #expect(parts[0].current.fraction == nil && whole.current.fraction == 0)
    parts[0].report(completed: 1, of: 4)
    #expect((parts[0].current.fraction, whole.current.completed) == (0.25, 250))
    parts[1].finish(isComplete: true)
    #expect((parts[1].current.fraction, whole.current.completed) == (1, 1250))
    parts[2].finish(isComplete: false)
    #expect((parts[2].current.fraction, whole.current.completed) == (nil, 1250))
    parts[0].finish(isComplete: true)
    #expect((whole.current.completed, whole.current.total, whole.current.isFinished) == (2000, 3000, true))
  }

  @Test("12.12 when the total grows, the fraction decreases, and the combined progress does not")
  func growingTotal() {
    let progress = PromiseProgress(total: 10)
    let whole = PromiseProgress(combining: [progress])
    let heard = follow(whole)
    progress.report(completed: 9)
    progress.report(completed: 10, of: 100)
    #expect((progress.current.fraction, whole.current.fraction) == (0.1, 0.9))
    progress.report(completed: 95)
    #expect(heard.entries.map(\.completed) == [0, 900, 950])
  }

  @Test("10.2 12.8 combined progress that ends with a when never decreases and becomes complete")
  func endingWithWhen() {
    let parts = (0..<3).map { _ in PromiseProgress(total: 10) }
    let pairs = parts.map { _ in Subject.makeWithResolver() }
    let all = when(fulfilled: pairs.map(\.0))
    let weighed = zip(parts, [1, 2, 1]).map { (progress: $0, weight: Int64($1)) }
    let whole = PromiseProgress(combining: weighed).ending(with: all)
    let heard = follow(whole)
    parts[1].report(completed: 5)
    #expect(whole.current.fraction == 0.25)
    parts[2].report(completed: 10)
    #expect(whole.current.fraction == 0.5)
    parts[2].report(completed: 1)
    for (number, pair) in pairs.enumerated() { pair.1.fulfill(with: number) }
    #expect(all.result == .value([0, 1, 2]))
    #expect(heard.entries.map(\.completed) == heard.entries.map(\.completed).sorted())
    #expect((heard.entries.last?.isFinished, heard.entries.last?.fraction) == (true, 1))
    withExtendedLifetime(parts) {}
  }

  @Test(
    "10.2 12.8 combined progress ends at its current value when a part of its when fails",
    arguments: [Ending.error, .cancelled])
  func endingWithFailure(_ ending: Ending) {
    let parts = [PromiseProgress(total: 10), PromiseProgress(total: 10)]
    let pairs = parts.map { _ in Subject.makeWithResolver() }
    let whole = PromiseProgress(combining: parts).ending(with: when(fulfilled: pairs.map(\.0)))
    parts[0].report(completed: 5)
    pairs[1].1.resolve(with: ending.result(1, .first))
    #expect((whole.current.isFinished, whole.current.fraction) == (true, 0.25))
    parts[0].report(completed: 9)
    #expect(whole.current.fraction == 0.25)
  }

  @Test("10.2 released progress ends and releases its observers")
  func dropped() {
    let heard = follow(PromiseProgress(total: 3))
    #expect(heard.entries.map(\.isFinished) == [false, true])
    #expect(observers.count == 0)
  }

  @Test("10.2 12.1 reports of two threads reach an observer as increasing steps, with the end last")
  func race() async {
    await TestSupport.race(rounds: 3000) {
      let (progress, heard, isOver) = (
        PromiseProgress(total: 100), Recorder<PromiseProgress.Step>(), DispatchSemaphore(value: 0)
      )
      progress.onProgress(on: .immediate) { step in
        heard.record(step)
        if step.isFinished { isOver.signal() }
      }
      return (progress, heard, isOver)
    } _: { round in
      for completed in 1...20 { round.0.report(completed: Int64(completed)) }
    } _: { round in
      for completed in 10...30 { round.0.report(completed: Int64(completed)) }
    } _: { round in
      round.0.finish(isComplete: true)
    } check: { round in
      // If many reports were made at once, the end is delivered on another thread.
      if round.2.wait(timeout: .now() + 60) == .timedOut { return "the end is missing" }
      let heard = round.1.entries
      if heard.map(\.completed) != heard.map(\.completed).sorted() { return "\(heard.map(\.completed))" }
      return heard.last == round.0.current && heard.filter(\.isFinished).count == 1 ? nil : "the end is not the last"
    }
  }
}
