import Overmorrow
import Testing

@Suite(.inTurn) struct AdoptingTests {
  private typealias IntPromise = Promise<Int, Reason>

  private let requests = Counter()

  /// A resolver that adopts a promise which no other code holds, and which counts requests; the resolver of that.
  private func adoptUnheld(by resolver: IntPromise.Resolver) -> IntPromise.Resolver {
    let (inner, innerResolver) = IntPromise.makeWithResolver()
    innerResolver.onRequestCancel(on: .immediate) { [requests] _ in requests.increment() }
    resolver.resolve(with: inner)
    return innerResolver
  }

  @Test(
    "1.8 the adopter takes over the result inside the call that resolves the adopted promise, or inside that which adopts",
    arguments: Ending.allCases, [false, true])
  func takesOver(ending: Ending, isResolvedBefore: Bool) {
    let (inner, innerResolver) = IntPromise.makeWithResolver()
    let (promise, resolver) = IntPromise.makeWithResolver()
    let log = Recorder<PromiseResult<Int, Reason>>()
    promise.tap(on: .immediate) { log.record($0) }
    if isResolvedBefore { innerResolver.resolve(with: ending.result(7, "no")) }
    resolver.resolve(with: inner)
    #expect((promise.result != nil) == isResolvedBefore)
    innerResolver.resolve(with: ending.result(7, "no"))
    #expect(promise.result == ending.result(7, "no"))
    #expect(log.entries == [ending.result(7, "no")])
  }

  @Test("1.8 a promise can be adopted by several, and observed besides, in the order in which all that was asked for")
  func several() {
    let (inner, innerResolver) = IntPromise.makeWithResolver()
    let log = Recorder<String>()
    inner.then(on: .immediate) { _ in log.record("observer 1") }
    let promises = (1...2).map { number in
      let (promise, resolver) = IntPromise.makeWithResolver()
      resolver.resolve(with: inner)
      promise.then(on: .immediate) { _ in log.record("adopter \(number)") }
      return promise
    }
    inner.then(on: .immediate) { _ in log.record("observer 2") }
    innerResolver.fulfill(with: 7)
    #expect(promises.map(\.result) == [.value(7), .value(7)])
    // What waits for an adopter comes before later observers.
    #expect(log.entries == ["observer 1", "adopter 1", "adopter 2", "observer 2"])
  }

  @Test("1.8 the adopted promise may be dropped by all others: the adopter still gets the result")
  func dropped() {
    let (promise, resolver) = IntPromise.makeWithResolver()
    adoptUnheld(by: resolver).fulfill(with: 7)
    #expect(promise.result == .value(7))
  }

  // MARK: Cancelling

  @Test(
    "1.8 a request to cancel the adopter is a vote: it reaches the adopted promise when all its children have asked")
  func vote() {
    let ((adopters, sibling), inner) = CancelProbe<Int, Reason>.feed { inner in
      let adopters = (0..<2).map { _ in
        let (promise, resolver) = IntPromise.makeWithResolver()
        resolver.resolve(with: inner)
        return promise
      }
      return (adopters, inner.map(on: .immediate) { $0 })
    }
    adopters[0].requestCancel()
    sibling.requestCancel()
    #expect(inner.requestCount == 0)
    adopters[1].requestCancel()
    #expect(inner.requestCount == 1)
    #expect(adopters.map(\.result) == [nil, nil])
    inner.resolver.cancel()
    #expect(adopters.map(\.result) == [.cancelled, .cancelled])
  }

  @Test("1.8 an adopted promise that somebody holds is not asked to cancel by its adopter")
  func held() {
    let inner = CancelProbe<Int, Reason>()
    let (promise, resolver) = IntPromise.makeWithResolver()
    resolver.resolve(with: inner.promise)
    promise.requestCancel()
    #expect(inner.requestCount == 0)
    inner.resolver.fulfill(with: 7)
    #expect(promise.result == .value(7))
  }

  @Test("1.8 a request made before the adoption withdraws the vote as soon as there is one")
  func requestedBefore() {
    let (promise, resolver) = IntPromise.makeWithResolver()
    promise.requestCancel()
    let innerResolver = adoptUnheld(by: resolver)
    #expect(requests.count == 1)
    innerResolver.cancel()
    #expect(promise.result == .cancelled)
  }

  @Test("1.8 the adopter's own handlers run as well as its vote is withdrawn, before and after the adoption")
  func ownHandlers() {
    let log = Recorder<String>()
    let (promise, resolver) = IntPromise.makeWithResolver()
    resolver.onRequestCancel(on: .immediate) { _ in log.record("before") }
    let innerResolver = adoptUnheld(by: resolver)
    resolver.onRequestCancel(on: .immediate) { _ in log.record("after") }
    promise.requestCancel()
    #expect(log.entries == ["before", "after"])
    #expect(requests.count == 1)
    innerResolver.fulfill(with: 7)
    #expect(promise.result == .value(7))
  }

  // MARK: Memory

  @Test("1.8 an adopter copies the result: what was adopted may go")
  func copiesResult() {
    let tracker = Tracker()
    let (promise, resolver) = Promise<Tracker.Tracked, Reason>.makeWithResolver()
    do {
      let (inner, innerResolver) = Promise<Tracker.Tracked, Reason>.makeWithResolver()
      resolver.resolve(with: inner)
      innerResolver.fulfill(with: tracker.make())
    }
    #expect(tracker.count == 1)
    #expect(promise.result?.value != nil)
  }

  @Test("1.8 an adoption that is never resolved leaves nothing behind, when all that could resolve it has gone")
  func abandoned() {
    let tracker = Tracker()
    do {
      let (inner, innerResolver) = IntPromise.makeWithResolver()
      let (promise, resolver) = IntPromise.makeWithResolver()
      resolver.resolve(with: inner)
      promise.then(on: .immediate) { [object = tracker.make(), inner, promise] _ in
        withExtendedLifetime((object, inner, promise)) {}
      }
      withExtendedLifetime(innerResolver) {}
    }
    #expect(tracker.count == 0)
  }

  @Test("1.8 adopting races with the result of the adopted promise: the adopter gets it, once")
  func race() async {
    struct Round: Sendable {
      let inner = IntPromise.makeWithResolver()
      let outer = IntPromise.makeWithResolver()
      let observations = Counter()

      init() { outer.0.tap(on: .immediate) { [observations] _ in observations.increment() } }
    }
    await TestSupport.race(
      rounds: 500, { Round() },
      { $0.outer.1.resolve(with: $0.inner.0) },
      { $0.inner.1.fulfill(with: 7) },
      { $0.outer.0.requestCancel() },
      check: { round in
        guard round.outer.0.result == .value(7) else { return "\(round.outer.0)" }
        return round.observations.count == 1 ? nil : "\(round.observations.count) observations"
      })
  }
}
