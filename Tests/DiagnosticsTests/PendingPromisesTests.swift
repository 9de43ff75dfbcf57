import Dispatch
import OvermorrowFlow
import OvermorrowTesting
import TestSupport
import Testing

@testable import Overmorrow
@testable import OvermorrowDiagnostics

/// The list of pending promises.
@Suite(.inTurn) struct PendingPromisesTests {
  private typealias Subject = Promise<Int, Flaw>

  /// Returns the pending promises that `make` has made and that still exist. The numbers start at 1, places are given
  /// relative to `line`, and ages are left out.
  private func pending(line: Int = #line, _ make: () -> some Any) -> PendingPromises {
    let scope = PromiseScope(findsLeaks: false)
    defer { scope.close() }
    let mine = PromiseScope.run(in: scope) { withExtendedLifetime(make()) { scope.pending.entries } }
    let numbers = Dictionary(uniqueKeysWithValues: mine.enumerated().map { ($1.id, $0 + 1) })
    let renamed = mine.map { entry in
      PendingPromises.Entry(
        id: numbers[entry.id] ?? 0,
        origin: entry.origin.map { "line \((Int($0.split(separator: ":").last ?? "") ?? 0) - line)" },
        name: entry.name, isStep: entry.isStep, context: entry.context, age: .zero, observers: entry.observers,
        upstream: entry.upstream.compactMap { numbers[$0] }, cause: entry.cause)
    }
    return PendingPromises(entries: renamed, omitted: 0)
  }

  /// Returns the promise and stores its resolver.
  private func keep(_ pair: (Subject, Subject.Resolver), in kept: Recorder<Subject.Resolver>) -> Subject {
    kept.record(pair.1)
    return pair.0
  }

  @Test("15.18 a promise waits for its resolver, and its chain for the promise")
  func chain() {
    let pending = pending {
      let (promise, resolver) = Subject.makeWithResolver()
      let queue = DispatchQueue(label: "a label")
      let steps = [promise.map(on: .queue(queue)) { $0 }, promise.map(on: .main) { $0 }]
      return (resolver, steps, steps[0].then(on: .immediate) { _ in })
    }
    #expect(
      pending.description == """
        4 promises are pending.
        #1 a promise made at line 1, pending for 0.0 s, waits for its resolver
          #2 a step on a label, pending for 0.0 s
            #4 a step on immediate, pending for 0.0 s
          #3 a step on main, pending for 0.0 s
        """)
    #expect(pending.entries.map(\.observers) == [2, 1, 0, 0])
  }

  @Test("15.18 a combinator waits for its inputs, and an adopter for its adopted promise")
  func joins() {
    let kept = Recorder<Subject.Resolver>()
    let pending = pending {
      let first = keep(Subject.makeWithResolver(), in: kept)
      let second = keep(Subject.makeWithResolver(), in: kept)
      let all = when(fulfilled: [first, second])
      let (adopter, resolver) = Promise<[Int], Flaw>.makeWithResolver()
      resolver.resolve(with: all)
      return (adopter, second.delay(on: .immediate, .zero))
    }
    #expect(
      pending.description == """
        5 promises are pending.
        #1 a promise made at line 1, pending for 0.0 s, waits for its resolver
          #3 a promise made at line 3, pending for 0.0 s, waits for its inputs
            #4 a promise made at line 4, pending for 0.0 s
        #2 a promise made at line 2, pending for 0.0 s, waits for its resolver
          #3, shown above
          #5 a promise, pending for 0.0 s
        """)
    #expect(pending.entries[2].upstream == [1, 2])
    #expect(
      pending.mermaid == """
        flowchart LR
          p1["#35;1 a promise made at line 1, pending for 0.0 s"]
          c1(["its resolver"]) --> p1
          p2["#35;2 a promise made at line 2, pending for 0.0 s"]
          c2(["its resolver"]) --> p2
          p3["#35;3 a promise made at line 3, pending for 0.0 s"]
          p1 --> p3
          p2 --> p3
          p4["#35;4 a promise made at line 4, pending for 0.0 s"]
          p3 --> p4
          p5["#35;5 a promise made at line 2, pending for 0.0 s"]
          p2 --> p5
        """)
  }

  @Test("15.19 a body that waits, a running body and a running callback are listed differently")
  func bodies() {
    let context = ManualContext()
    let seen = Recorder<String>()
    let look = { @Sendable (promise: Subject?) in
      seen.record(
        promise.map { PromiseDiagnostics.pending(upstreamOf: $0).entries.last?.cause ?? "nothing" } ?? "nobody")
    }
    _ = PromiseDiagnostics.checking {
      let own = Holder<Subject>()
      let promise = Subject(on: context.context) { resolver in
        look(own.value)
        resolver.fulfill(with: 1)
      }
      own.value = promise
      look(promise)
      context.runAll()
      let step = Holder<Subject>()
      step.value = promise.map(on: context.context) { value in
        look(step.value)
        return value
      }
      look(step.value)
      context.runAll()
      own.value = nil
      step.value = nil
    }
    #expect(
      seen.entries == [
        "its body, which waits to run on ManualQueue", "its body, which is running", "its turn on ManualQueue",
        "its callback, which is running",
      ])
  }

  @Test("15.19 promises that the library makes are listed with their causes")
  func producers() {
    let (clock, context) = (TestClock(), ManualContext())
    let (gate, kept) = (Turnstile(width: 0), Recorder<Subject.Resolver>())
    let pending = pending {
      let limiter = PromiseLimiter(width: 1)
      let held = keep(Subject.makeWithResolver(), in: kept)
      let cache = PromiseCache<Int, Int, Flaw>()
      return [
        Subject(fulfilled: 1, after: .seconds(1), clock: clock),
        limiter.run(on: .immediate) { held },
        limiter.run(on: .immediate) { held },
        cache.promise(for: 1, on: context.context) { _ in held },
        Subject.retry(on: context.context) { _ in held },
        Subject(fulfilled: 1).delay(.seconds(1), clock: clock),
        Subject { () async throws(Flaw) in
          await gate.enter()
          return 1
        },
      ]
    }
    #expect(
      pending.entries.filter(\.upstream.isEmpty).map(\.cause) == [
        "its resolver", "a timer", "its turn in a limiter", "the start of its load",
        "the start of an attempt",
        "a timer", "its task",
      ])
    context.dropAll()
    clock.run()
    gate.leave()
  }

  @Test("15.26 a retry between attempts waits for the delay before the next attempt")
  func backoff() {
    let (clock, kept) = (TestClock(), Recorder<Subject.Resolver>())
    let policy = PromiseRetryPolicy<Flaw>(attempts: 2, backoff: .constant(.seconds(1)))
    let pending = pending {
      Subject.retry(policy, on: .immediate, clock: clock) { number in
        number == 1 ? Subject(rejected: "no") : self.keep(Subject.makeWithResolver(), in: kept)
      }
    }
    let roots = pending.entries.filter(\.upstream.isEmpty)
    #expect(roots.map(\.cause) == ["the delay before the next attempt"] && roots.map(\.origin) == ["line 1"])
    clock.run()
    for resolver in kept.entries { resolver.cancel() }
  }

  @Test("15.19 a step that a pause holds back names the pause")
  func pauses() {
    let pause = PromisePause()
    pause.suspend()
    let pending = pending { Subject(fulfilled: 1).map(on: .utility.paused(by: pause)) { $0 } }
    #expect(pending.entries.map(\.cause) == ["its turn on utility under a pause"])
    pause.resume()
  }

  @Test("15.21 pending(upstreamOf:) lists what a promise waits for, without promises derived from it")
  func upstream() {
    #expect(PromiseDiagnostics.pending(upstreamOf: Subject(fulfilled: 1)).description == "No promise is pending.")
    _ = PromiseDiagnostics.checking {
      let (promise, resolver) = Subject.makeWithResolver()
      let steps = [promise.map(on: .immediate) { $0 }, promise.map(on: .immediate) { $0 }]
      let all = when(fulfilled: steps)
      #expect(PromiseDiagnostics.pending(upstreamOf: promise).entries.map(\.isStep) == [false])
      #expect(PromiseDiagnostics.pending(upstreamOf: steps[1]).entries.map(\.isStep) == [false, true])
      #expect(PromiseDiagnostics.pending(upstreamOf: all).entries.map(\.isStep) == [false, true, true, false])
      resolver.cancel()
      #expect(PromiseDiagnostics.pending(upstreamOf: all).entries.isEmpty)
    }
  }
}
