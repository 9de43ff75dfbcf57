import Overmorrow
import Testing

/// Races between requests to cancel and adoptions.
@Suite(.heavy) struct AdoptionRaceTests {
  /// Makes a promise that adopts `inner` when `start` is resolved.
  private static func adopt(_ depth: Depth, _ start: IntProbe, _ inner: IntProbe) -> Promise<Int, ProbeError> {
    let resolved = Promise<Int, ProbeError>(fulfilled: 0)
    switch depth {
    case .plain: return start.take().flatMap(on: .immediate) { _ in inner.take() }
    case .ofAdopter:
      return start.take().flatMap(on: .immediate) { _ in resolved.flatMap(on: .immediate) { _ in inner.take() } }
    case .byAdopted:
      return resolved.flatMap(on: .immediate) { _ in start.take().flatMap(on: .immediate) { _ in inner.take() } }
    }
  }

  /// Whether the adopted promise itself adopts another promise, or the adopter is itself being adopted.
  enum Depth: CaseIterable { case plain, ofAdopter, byAdopted }

  @Test(
    "3.2 a request that races with flatMap's callback reaches the last adopted promise once",
    arguments: Depth.allCases)
  func flatMap(depth: Depth) async {
    await race(
      rounds: 9000,
      {
        let (start, inner) = (IntProbe(), IntProbe())
        return (start: start, inner: inner, outer: Self.adopt(depth, start, inner))
      },
      { $0.outer.requestCancel() }, { $0.start.resolver.fulfill(with: 0) },
      check: { round in
        // The request must have reached the adopted promise, whichever thread was first.
        if round.inner.requestCount != 1 { return "asked \(round.inner.requestCount) times" }
        round.inner.resolver.fulfill(with: 5)
        return round.outer.result == .value(5) ? nil : "\(round.outer)"
      })
  }

  @Test(
    "1.8 a request that races with resolver.resolve(with: promise) reaches the adopted promise once",
    arguments: [0, 1, 2])
  func resolver(handlers: Int) async {
    await race(
      rounds: 6000,
      {
        let (adopter, resolver) = Promise<Int, ProbeError>.makeWithResolver()
        let calls = Counter()
        for _ in 0..<handlers { resolver.onRequestCancel(on: .immediate) { _ in calls.increment() } }
        return (adopter: adopter, resolver: resolver, inner: IntProbe(), calls: calls)
      },
      { $0.adopter.requestCancel() }, { $0.resolver.resolve(with: $0.inner.take()) },
      check: { round in
        if round.inner.requestCount != 1 { return "asked \(round.inner.requestCount) times" }
        if round.calls.count != handlers { return "\(round.calls.count) of \(handlers) handlers ran" }
        round.inner.resolver.cancel()
        return round.adopter.result == .cancelled ? nil : "\(round.adopter)"
      })
  }

  @Test("1.8 when a request races with adoption and the result, the adopter resolves without leaks")
  func againstResult() async {
    let tracker = Tracker()
    await race(
      rounds: 6000,
      {
        let start = IntProbe()
        let inner = CancelProbe<Tracker.Tracked, ProbeError>(complying: true)
        let object = tracker.make()
        let outer = start.take().flatMap(on: .immediate) { _ in withExtendedLifetime(object) { inner.take() } }
        return (start: start, inner: inner, outer: outer)
      },
      { $0.outer.requestCancel() }, { $0.start.resolver.fulfill(with: 0) },
      { $0.inner.resolver.fulfill(with: tracker.make()) }, check: { $0.outer.result == nil ? "unresolved" : nil })
    #expect(tracker.count == 0)
  }

  @Test("1.8 during adoption, requests of an adopter and a sibling are passed up once")
  func votes() async {
    await race(
      rounds: 6000,
      {
        let start = IntProbe()
        let inner = IntProbe()
        let sibling = inner.makeSibling()
        let outer = start.take().flatMap(on: .immediate) { _ in inner.take() }
        return (start: start, inner: inner, outer: outer, sibling: sibling)
      },
      { $0.outer.requestCancel() }, { $0.start.resolver.fulfill(with: 0) }, { $0.sibling.requestCancel() },
      check: { $0.inner.requestCount == 1 ? nil : "asked \($0.inner.requestCount) times" })
  }

  @Test("3.2 a request to a running flatMap loop reaches its last promise exactly once")
  func loop() async {
    struct Round: Sendable {
      let steps = (0..<20).map { _ in IntProbe() }
      let outer: Promise<Int, ProbeError>

      init() { outer = Round.run(steps[...]) }

      static func run(_ steps: ArraySlice<IntProbe>) -> Promise<Int, ProbeError> {
        guard let first = steps.first, steps.count > 1 else { return steps[steps.startIndex].take() }
        return first.take().flatMap(on: .immediate) { _ in run(steps.dropFirst()) }
      }
    }
    await race(
      rounds: 1500, { Round() },
      { $0.outer.requestCancel() },
      { round in for step in round.steps.dropLast() { step.resolver.fulfill(with: 0) } },
      check: { round in
        let counts = round.steps.map(\.requestCount)
        return counts.last == 1 && counts.allSatisfy { $0 <= 1 } ? nil : "\(counts)"
      })
  }
}
