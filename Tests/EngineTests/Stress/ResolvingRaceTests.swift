import Dispatch
import Overmorrow
import Testing

@Suite(.inTurn) struct ResolvingRaceTests {
  private typealias IntPromise = Promise<Int, Reason>

  @Test("1.2 of several threads that resolve a promise in different ways, exactly one wins")
  func oneWins() async {
    let ways: [@Sendable (IntPromise.Resolver) -> Void] = [
      { $0.fulfill(with: 1) }, { $0.reject(with: "no") }, { $0.cancel() }, { $0.resolve(with: Promise(fulfilled: 2)) },
    ]
    await race(
      rounds: 500,
      {
        let (pair, seen) = (IntPromise.makeWithResolver(), Recorder<PromiseResult<Int, Reason>>())
        pair.0.tap(on: .immediate) { seen.record($0) }
        return (pair: pair, seen: seen)
      },
      ways.map { way in { way($0.pair.1) } },
      check: { round in
        guard let result = round.pair.0.result else { return "unresolved" }
        if ![.value(1), .error("no"), .cancelled, .value(2)].contains(result) { return "\(result)" }
        return round.seen.entries == [result] ? nil : "\(result), but the observer saw \(round.seen.entries)"
      })
  }

  @Test("1.2 when two threads fulfil, the winner's value is intact and the loser's is released")
  func wholeValue() async {
    let tracker = Tracker()
    await race(
      rounds: 500,
      { (pair: Promise<[Tracker.Tracked], Reason>.makeWithResolver(), seen: Recorder<[Tracker.Tracked]>()) },
      { $0.pair.1.fulfill(with: Array(repeating: tracker.make(), count: 20)) },
      { $0.pair.1.fulfill(with: Array(repeating: tracker.make(), count: 20)) },
      { round in round.pair.0.then(on: .immediate) { [seen = round.seen] in seen.record($0) } },
      check: { round in
        guard let value = round.pair.0.result?.value, value.count == 20,
          Set(value.map(ObjectIdentifier.init)).count == 1
        else { return "\(round.pair.0)" }
        if tracker.count != 1 { return "\(tracker.count) values are kept" }
        return round.seen.entries == [value] ? nil : "\(value), but the observer saw \(round.seen.entries)"
      })
    #expect(tracker.count == 0)
  }

  @Test("1.4 releasing resolver copies on two threads cancels only an unused promise", arguments: [false, true])
  func droppingAgainstUsing(isUsed: Bool) async {
    await race(
      rounds: 500,
      {
        let (pair, seen) = (IntPromise.makeWithResolver(), Recorder<PromiseResult<Int, Reason>>())
        pair.0.tap(on: .immediate) { seen.record($0) }
        return (promise: pair.0, copies: [Holder(pair.1), Holder(pair.1)], seen: seen)
      },
      { $0.copies[0].value = nil },
      { round in
        if isUsed { round.copies[1].value?.fulfill(with: 7) }
        round.copies[1].value = nil
      },
      check: { round in
        let expected: PromiseResult<Int, Reason> = isUsed ? .value(7) : .cancelled
        let isRight = round.promise.result == expected && round.seen.entries == [expected]
        return isRight ? nil : "\(round.promise), but the observer saw \(round.seen.entries)"
      })
  }

  @Test("1.6 a result that has been read never changes and is never torn")
  func readingAgainstResolving() async {
    await race(
      rounds: 300, { (pair: Promise<[Int], Reason>.makeWithResolver(), changes: Counter()) },
      { round in
        var last: PromiseResult<[Int], Reason>?
        for _ in 0..<50 {
          let result = round.pair.0.result
          if last != nil, last != result { round.changes.increment() }
          last = result
        }
      },
      { $0.pair.1.fulfill(with: [1, 2, 3]) }, { $0.pair.1.reject(with: "no") },
      check: { round in
        guard let result = round.pair.0.result, [.value([1, 2, 3]), .error("no")].contains(result) else {
          return "\(round.pair.0)"
        }
        return round.changes.count == 0 ? nil : "the result changed"
      })
  }

  @Test("2.5 when registering, resolving and releasing race, no observer is lost or runs twice")
  func registeringAgainstResolving() async {
    await race(
      rounds: 500,
      {
        let (promise, resolver) = IntPromise.makeWithResolver()
        return (promise: Holder(promise), resolver: resolver, runs: Counter())
      },
      { round in
        guard let promise = round.promise.value else { return }
        let run: @Sendable () -> Void = { [runs = round.runs] in runs.increment() }
        promise.then(on: .immediate) { _ in run() }
        promise.map(on: .immediate) { $0 }.tap().always(on: .immediate) { _ in run() }
        promise.flatMap(on: .immediate) { Promise(fulfilled: $0) }.then(on: .immediate) { _ in run() }
        round.promise.value = nil
      },
      { $0.resolver.fulfill(with: 7) }, check: { $0.runs.count == 3 ? nil : "\($0.runs.count) observers ran" })
  }

  @Test("1.10 a request that races with the result runs the handler at most once")
  func requestingAgainstResolving() async {
    await race(
      rounds: 500,
      {
        let (pair, runs, tracker) = (IntPromise.makeWithResolver(), Counter(), Tracker())
        let handler = tracker.callback { (resolver: IntPromise.Resolver) in
          runs.increment()
          resolver.cancel()
        }
        pair.1.onRequestCancel(on: .immediate, handler)
        return (pair: pair, runs: runs, tracker: tracker)
      },
      { $0.pair.0.requestCancel() }, { $0.pair.0.requestCancel() }, { $0.pair.1.fulfill(with: 7) },
      check: { round in
        if round.runs.count > 1 { return "the handler ran \(round.runs.count) times" }
        if round.tracker.count != 0 { return "the handler is still there" }
        guard let result = round.pair.0.result else { return "unresolved" }
        return result == .cancelled && round.runs.count == 0 ? "cancelled without its handler" : nil
      })
  }

  @Test("2.6 nothing leaks, whichever of resolver, promise and child is released first", arguments: [false, true])
  func dropping(isUsed: Bool) async {
    let tracker = Tracker()
    await race(
      rounds: 500,
      {
        let (promise, resolver) = IntPromise.makeWithResolver()
        let child = promise.then(on: .immediate, tracker.callback())
        return (promise: Holder(promise), resolver: Holder(resolver), child: Holder(child))
      },
      { $0.promise.value = nil }, { $0.child.value = nil },
      { pieces in
        if isUsed { pieces.resolver.value?.fulfill(with: 7) }
        pieces.resolver.value = nil
      },
      check: { _ in tracker.count == 0 ? nil : "\(tracker.count) callbacks are left" })
  }

  @Test("1.10 copies of a resolver may be used on several threads while the promise ends")
  func lookingAgainstResolving() async {
    await race(
      rounds: 500,
      {
        let (promise, resolver) = Promise<Tracker.Tracked, Reason>.makeWithResolver()
        return (promise: Holder(promise), resolver: resolver, tracker: Tracker(), contradictions: Counter())
      },
      { round in
        // No thread in this race cancels the promise or requests its cancellation, so the resolver must never report a
        // request.
        for _ in 0..<20 where round.resolver.hasRequestedCancel { round.contradictions.increment() }
      },
      { round in
        let contradictions = round.contradictions
        round.resolver.onRequestCancel(on: .immediate, round.tracker.callback { _ in contradictions.increment() })
      },
      { $0.resolver.fulfill(with: $0.tracker.make()) }, { $0.promise.value = nil },
      check: { round in
        if round.contradictions.count != 0 { return "a request was seen that nobody made" }
        return round.tracker.count == 0 ? nil : "\(round.tracker.count) objects are left"
      })
  }
}
