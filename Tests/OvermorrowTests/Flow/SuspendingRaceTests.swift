import Dispatch
import OvermorrowTesting
import Testing

@testable import Overmorrow

/// Suspending from several threads, and long chains of it.
@Suite(.heavy) struct SuspendingRaceTests {
  private typealias Subject = Promise<Int, Refusal>

  private final class Round: Sendable {
    let root: Subject
    let resolver: Subject.Resolver
    let probe = SuspendableProbe()
    let steps: [Subject]
    let calls: [Counter]

    init(links: Int = 3) {
      (root, resolver) = Subject.makeWithResolver()
      resolver.attach(probe)
      calls = (0..<links).map { _ in Counter() }
      var last = root
      steps = calls.map { calls in
        last = last.map(on: .immediate) { $0 + calls.increment() }
        return last
      }
    }

    var tail: Subject { steps[steps.count - 1] }
  }

  @Test("7.1 race: suspend against resolve against resume; each step runs once, and nothing is lost")
  func resolving() async {
    let findings = await race(rounds: 10_000, within: .seconds(2)) {
      Round()
    } _: { round in
      round.tail.suspend()
      round.steps[0].suspend()
    } _: { round in
      round.resolver.fulfill(with: 0)
    } _: { round in
      round.tail.resume()
    } check: { round in
      round.tail.resume()
      if round.tail.result != .value(3) { return "\(round.steps.map(\.result))" }
      if round.calls.contains(where: { $0.count != 1 }) { return "ran \(round.calls.map(\.count))" }
      return round.probe.mistake
    }
    #expect(findings == [])
  }

  @Test(
    "7.3 race: suspend against resume against cancel against resolve; everything settles, each step runs at most once")
  func cancelling() async {
    let findings = await race(rounds: 10_000, within: .seconds(2)) {
      Round()
    } _: { round in
      round.tail.suspend()
    } _: { round in
      round.tail.resume()
    } _: { round in
      round.tail.requestCancel()
    } _: { round in
      round.resolver.fulfill(with: 0)
    } check: { round in
      for step in round.steps + [round.root] { step.resume() }
      let results = round.steps.map(\.result)
      if results.contains(nil) || round.root.result == nil { return "unsettled: \(results)" }
      if round.calls.contains(where: { $0.count > 1 }) { return "ran \(round.calls.map(\.count))" }
      return round.probe.mistake
    }
    #expect(findings == [])
  }

  @Test("7.2 race: observers that suspend, come and cancel; in the end the producer knows what is true")
  func votes() async {
    let findings = await race(rounds: 10_000, within: .seconds(2)) {
      (Round(links: 1), Holder<Subject>())
    } _: { round in
      round.0.tail.suspend()
    } _: { round in
      round.1.value = round.0.root.makeChild()
    } _: { round in
      round.0.root.makeChild().requestCancel()
    } check: { round in
      if round.0.root.isSuspended { return "suspended although somebody waits" }
      if round.0.probe.isSuspended { return "the producer was not resumed" }
      round.1.value?.suspend()
      if !round.0.probe.isSuspended || !round.0.root.isSuspended { return "not suspended although all observers are" }
      round.0.tail.resume()
      round.0.resolver.fulfill(with: 0)
      if round.0.tail.result != .value(1) { return "lost" }
      round.1.value?.resume()
      return round.1.value?.result == .value(0) ? round.0.probe.mistake : "lost"
    }
    #expect(findings == [])
  }

  @Test("7.1 race: a step on a context is suspended and resumed while its turn comes; it runs once, there")
  func turns() async {
    let queue = MarkedQueue()
    let findings = await race(rounds: 10_000, within: .seconds(2)) {
      let calls = Counter()
      let step = Subject(fulfilled: 0).map(on: queue.context) { _ in queue.isCurrent ? calls.increment() : 7 }
      return (step, calls)
    } _: { (step, _) in
      step.suspend()
    } _: { (step, _) in
      step.resume()
    } check: { (step, calls) in
      step.resume()
      queue.queue.sync {}
      queue.queue.sync {}
      return step.result == .value(1) && calls.count == 1 ? nil : "\(String(describing: step.result)), \(calls.count)"
    }
    #expect(findings == [])
  }

  @Test("7.1 race: the last handle of a suspended promise goes while it resolves; nothing is lost or leaked")
  func dropping() async {
    let tracker = Tracker()
    let calls = Counter()
    let rounds = Counter()
    let findings = await race(rounds: 10_000, within: .seconds(2)) {
      rounds.increment()
      let (root, resolver) = Subject.makeWithResolver()
      let step = root.map(on: .immediate) { [tracked = tracker.make()] value in
        withExtendedLifetime(tracked) { value + calls.increment() }
      }
      step.suspend()
      return (Holder(step), resolver)
    } _: { round in
      round.0.value = nil
    } _: { round in
      round.1.fulfill(with: 0)
    } check: { _ in
      nil
    }
    #expect(findings == [])
    #expect(calls.count == rounds.count)
    #expect(tracker.count == 0)
  }

  @Test("7.1 7.4 a chain of 100,000 steps is suspended and resumed on a small stack", arguments: [true, false])
  func longChain(_ isResolvedFirst: Bool) async throws {
    let links = scaled(100_000)
    let result = try await onSmallStack {
      let (root, resolver) = Subject.makeWithResolver()
      let probe = SuspendableProbe()
      resolver.attach(probe)
      var tail = root
      for _ in 0..<links { tail = tail.map(on: .immediate) { $0 + 1 } }
      tail.suspend()
      if isResolvedFirst { resolver.fulfill(with: 0) }
      let before = tail.result
      tail.resume()
      resolver.fulfill(with: 0)
      return (before, tail.result, probe.calls)
    }
    #expect((result.0, result.1) == (nil, .value(links)))
    #expect(result.2 == [.suspend, .resume])
  }

  @Test("7.3 a suspended chain of 100,000 steps is cancelled, or dropped, on a small stack", arguments: [true, false])
  func longChainEnds(_ isCancelled: Bool) async throws {
    let links = scaled(100_000)
    let tracker = Tracker()
    let result = try await onSmallStack {
      let (root, resolver) = Subject.makeWithResolver()
      var tail = root
      for _ in 0..<links {
        tail = tail.map(on: .immediate) { [tracked = tracker.make()] value in
          withExtendedLifetime(tracked) { value + 1 }
        }
      }
      tail.suspend()
      if isCancelled { tail.requestCancel() }
      withExtendedLifetime(resolver) {}
      return tail.result
    }
    #expect(result == (isCancelled ? .cancelled : nil))
    #expect(tracker.count == 0)
  }
}
