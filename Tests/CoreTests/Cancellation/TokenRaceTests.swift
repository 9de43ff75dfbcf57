import Dispatch
import Overmorrow
import Testing

/// Tokens that several threads use at the same time.
@Suite(.heavy) struct TokenRaceTests {
  @Test("4.1 after an invalidation on a serial queue, no callback of that queue runs")
  func onTheCallbacksQueue() async {
    let (queue, late, ends) = (DispatchQueue(label: "callbacks"), Counter(), Recorder<Latch>())
    await race(
      rounds: 1500,
      {
        let (token, isInvalid, settled) = (PromiseInvalidationToken(), Counter(), Latch(4))
        let resolvers = (0..<4).map { _ in
          let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
          promise.then(on: .queue(queue), token: token) { _ in if isInvalid.count > 0 { late.increment() } }
            .always(on: .immediate) { _ in settled.signal() }
          return resolver
        }
        ends.record(settled)
        return (token: token, isInvalid: isInvalid, resolvers: resolvers)
      },
      { round in for resolver in round.resolvers[..<2] { resolver.fulfill(with: 1) } },
      { round in for resolver in round.resolvers[2...] { resolver.fulfill(with: 1) } },
      { round in
        queue.async {
          round.token.invalidate()
          round.isInvalid.increment()
        }
      }, check: { _ in nil })
    for end in ends.entries { await end.wait(for: "the callbacks of a round") }
    #expect(late.count == 0)
  }

  /// A token that one thread uses while others keep invalidating it, directly or through its parent.
  private struct Invalidated: Sendable {
    let token = PromiseInvalidationToken()
    let other: PromiseInvalidationToken
    let isDone = Counter()
    let calls = Counter()

    init(byParent: Bool) {
      other = byParent ? PromiseInvalidationToken() : token
      if byParent { token.chainInvalidation(from: other) }
    }

    func invalidateAllTheTime() {
      while isDone.count == 0 { other.invalidate() }
    }

    /// Registers callbacks, and resolves the promise of each one only after its suppression.
    func use() {
      for _ in 0..<500 {
        let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
        promise.then(on: .immediate, token: token) { [calls] _ in calls.increment() }
        token.invalidate()
        resolver.fulfill(with: 1)
      }
      isDone.increment()
    }
  }

  @Test(
    "4.1 after an invalidation returns, earlier callbacks never start, even if other threads invalidate",
    arguments: [false, true])
  func afterReturn(byParent: Bool) async {
    await race(
      rounds: 25, { Invalidated(byParent: byParent) }, { $0.invalidateAllTheTime() }, { $0.invalidateAllTheTime() },
      { $0.invalidateAllTheTime() }, { $0.use() },
      check: { $0.calls.count == 0 ? nil : "\($0.calls.count) callbacks ran" })
  }

  @Test("4.2 promises registered while other threads invalidate are asked exactly once each")
  func registeringMeanwhile() async {
    await race(
      rounds: 900, { (token: PromiseInvalidationToken(), probes: (0..<40).map { _ in IntProbe() }) },
      { round in for probe in round.probes[..<20] { probe.promise.requestCancelOnInvalidate(round.token) } },
      { round in for probe in round.probes[20...] { probe.promise.requestCancelOnInvalidate(round.token) } },
      { round in for _ in 0..<10 { round.token.invalidate() } },
      check: { round in
        round.token.cancelWithoutInvalidating()
        let counts = round.probes.map(\.requestCount)
        return counts.allSatisfy { $0 == 1 } ? nil : "\(counts)"
      })
  }

  @Test("4.4 tokens of a cycle that several threads invalidate ask each promise once")
  func cycleFromSeveralThreads() async {
    await race(
      rounds: 1500,
      {
        let tokens = (0..<4).map { _ in PromiseInvalidationToken() }
        let probes = (0..<4).map { _ in IntProbe() }
        for index in 0..<4 {
          tokens[index].chainInvalidation(from: tokens[(index + 1) % 4])
          probes[index].promise.requestCancelOnInvalidate(tokens[index])
        }
        return (tokens: tokens, probes: probes)
      },
      { round in round.tokens[0].invalidate() },
      { round in round.tokens[2].invalidate() },
      { round in
        let dropped = PromiseInvalidationToken()
        dropped.chainInvalidation(from: round.tokens[1])
        round.tokens[3].chainInvalidation(from: dropped)
      },
      check: { round in
        let counts = round.probes.map(\.requestCount)
        return counts == [1, 1, 1, 1] ? nil : "\(counts)"
      })
  }

  @Test("4.3 a token whose last copies are released on several threads asks its promises once")
  func lastCopies() async {
    struct Round: Sendable {
      let copies: [Holder<PromiseInvalidationToken>]
      let probe = CancelProbe<Tracker.Tracked, Flaw>()

      init(_ tracker: Tracker) {
        let token = PromiseInvalidationToken()
        copies = (0..<3).map { _ in Holder(token) }
        probe.promise.then(on: .immediate, token: token, tracker.callback())
        probe.promise.requestCancelOnInvalidate(token)
      }
    }
    let tracker = Tracker()
    let droppers = (0..<3).map { index in { @Sendable (round: Round) in round.copies[index].value = nil } }
    let resolve: @Sendable (Round) -> Void = { $0.probe.resolver.fulfill(with: tracker.make()) }
    let make: @Sendable () -> Round = { Round(tracker) }
    await race(
      rounds: 1500, make, droppers,
      check: { round in round.probe.requestCount == 1 ? nil : "asked \(round.probe.requestCount) times" })
    #expect(tracker.count == 0)
    // Here the promise also resolves. Whether or not it has received a request, nothing may leak.
    await race(rounds: 1500, make, droppers + [resolve], check: { _ in nil })
    #expect(tracker.count == 0)
  }

  @Test("4.5 ThreadSanitizer reports no race when a token sweeps its list while its promises end")
  func sweepWhileEnding() async {
    await race(rounds: 2000) {
      let token = PromiseInvalidationToken(invalidateOnDeinit: false)
      // One less than the length at which the list is swept.
      let ending = (0..<15).map { _ in
        let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
        promise.tap(on: .immediate) { _ in }
        promise.requestCancelOnInvalidate(token)
        return resolver
      }
      return (token: token, ending: Holder(ending))
    } _: { round in
      for resolver in round.ending.value ?? [] { resolver.fulfill(with: 1) }
      round.ending.value = nil
    } _: { round in
      for _ in 0..<3 { Promise<Int, Flaw>(fulfilled: 1).requestCancelOnInvalidate(round.token) }
      let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
      for _ in 0..<3 { promise.requestCancelOnInvalidate(round.token) }
      resolver.fulfill(with: 2)
    } check: { _ in
      nil
    }
  }
}
