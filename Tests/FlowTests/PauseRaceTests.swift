import Dispatch
import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Pauses that several threads use.
@Suite(.heavy) struct PauseRaceTests {
  @Test("7.1 7.2 7.6 when suspending races with resolving, each callback of a pause runs exactly once")
  func resolving() async {
    await race(
      rounds: 10_000, within: .seconds(2),
      {
        let (pause, probe, order) = (PromisePause(), SuspendableProbe(), Recorder<Int>())
        let (root, resolver) = Subject.makeWithResolver()
        pause.attach(probe, until: root)
        let steps = (0..<3).map { number in
          root.map(on: .immediate.paused(by: pause)) { value in
            order.record(number)
            return value + number
          }
        }
        return (pause: pause, probe: probe, order: order, root: root, resolver: resolver, steps: steps)
      },
      { $0.pause.suspend() }, { $0.resolver.fulfill(with: 0) }, { $0.pause.resume() }, { $0.pause.toggle() },
      check: { round in
        if round.pause.isSuspended, round.root.result == nil, !round.probe.isSuspended { return "not told" }
        round.pause.resume()
        if round.steps.map(\.result) != (0..<3).map({ .value($0) }) { return "\(round.steps.map(\.result))" }
        // Immediate callbacks may run in parallel on several threads.
        if round.order.entries.sorted() != [0, 1, 2] { return "ran \(round.order.entries)" }
        return round.probe.mistake
      })
  }

  @Test("7.1 7.2 callbacks added while other threads suspend and resume run once, in order")
  func arriving() async throws {
    let queue = DispatchQueue(label: "arriving")
    for context in [PromiseContext.immediate, .queue(queue), .utility, .main] {
      let count = scaled(5_000)
      let (pause, orders) = (PromisePause(), (0..<2).map { _ in Recorder<Int>() })
      let paused = context.paused(by: pause)
      let done = Latch(3)
      let steps = Recorder<Subject>()
      for order in orders {
        DispatchQueue.global().async {
          for number in 0..<count {
            steps.record(Subject(fulfilled: number).then(on: paused) { order.record($0) })
          }
          done.signal()
        }
      }
      DispatchQueue.global().async {
        for _ in 0..<count { pause.toggle() }
        done.signal()
      }
      await done.wait(for: "the threads")
      for step in steps.entries where step.result == nil { #expect(await step.outcome() != nil) }
      for order in orders {
        // Only a serial context preserves the order.
        let isSerial = context == .main || context == .queue(queue)
        let entries = isSerial ? order.entries : order.entries.sorted()
        let wrong = zip(entries, 0..<count).first { $0 != $1 }
        #expect(entries.count == count && wrong == nil, "\(context)")
      }
    }
  }

  @Test("7.3 7.8 when resuming and a request race, a retry begins at most one attempt")
  func retry() async {
    let promises = Recorder<Subject>()
    await race(
      rounds: 10_000,
      {
        let (pause, calls) = (PromisePause(), Counter())
        pause.suspend()
        let promise = Subject.retry(on: .utility.paused(by: pause)) { _ in Subject(fulfilled: calls.increment()) }
        return (pause: pause, calls: calls, promise: promise)
      },
      { $0.pause.resume() }, { $0.promise.requestCancel() }, { $0.pause.toggle() },
      check: { round in
        promises.record(round.promise)
        round.pause.resume()
        return round.calls.count > 1 ? "\(round.calls.count)" : nil
      })
    for promise in promises.entries { #expect(await promise.outcome() != nil) }
  }

  @Test("7.5 when a pause is released during arrivals, all its callbacks and work are cancelled")
  func going() async {
    await race(
      rounds: 10_000,
      {
        let (pause, tracker, probe) = (PromisePause(), Tracker(), IntProbe(complying: true))
        let (root, resolver) = Subject.makeWithResolver()
        pause.suspend()
        pause.attach(SuspendableProbe(), until: probe.promise)
        let steps = (0..<3).map { _ in root.map(on: .immediate.paused(by: pause), tracker.work { $0 }) }
        return (pause: Holder(pause), resolver: resolver, tracker: tracker, probe: probe, steps: steps)
      },
      { $0.pause.value = nil }, { $0.resolver.fulfill(with: 0) },
      check: { round in
        let state = (round.steps.map(\.result), round.probe.promise.result, round.tracker.count)
        return state == ([.cancelled, .cancelled, .cancelled], .cancelled, 0) ? nil : "\(state)"
      })
  }

  @Test("7.8 when a job's turn races with its pause, the job runs exactly once")
  func turn() async {
    await race(
      rounds: 10_000,
      {
        let (limiter, pause, calls) = (PromiseLimiter(width: 1), PromisePause(), Counter())
        let (gate, resolver) = Subject.makeWithResolver()
        _ = limiter.run(on: .immediate) { gate }
        let job = limiter.run(on: .immediate.paused(by: pause)) { Subject(fulfilled: calls.increment()) }
        return (limiter: limiter, pause: pause, calls: calls, resolver: resolver, job: job)
      },
      { $0.pause.suspend() }, { $0.resolver.fulfill(with: 0) }, { $0.pause.resume() },
      check: { round in
        round.pause.resume()
        let state = (round.calls.count, round.job.result, round.limiter.runningCount, round.limiter.pendingCount)
        return state == (1, .value(1), 0, 0) ? nil : "\(state)"
      })
  }
}

extension PromisePause {
  /// Suspends the pause briefly.
  fileprivate func toggle() {
    suspend()
    resume()
  }
}
