import Overmorrow
import Testing

/// A promise that adopts another one holds one vote on it.
@Suite(.inTurn) struct AdoptionPropagationTests {
  /// The ways to adopt: each gets a promise that is about to start it, and the promise to adopt.
  struct Way: Sendable, CustomStringConvertible {
    let description: String
    let adopt: @Sendable (_ start: Promise<Int, ProbeError>, _ inner: IntProbe) -> Promise<Int, ProbeError>
    /// Resolves the start such that the callback runs.
    let trigger: PromiseResult<Int, ProbeError>

    static let all = [
      Way("flatMap", .value(0)) { start, inner in start.flatMap(on: .immediate) { _ in inner.take() } },
      Way("throwing flatMap", .value(0)) { start, inner in
        start.flatMap(on: .immediate) { _ throws(ProbeError) in inner.take() }
      },
      Way("flatMapError", .error(.failed)) { start, inner in start.flatMapError(on: .immediate) { _ in inner.take() } },
      Way("flatMapResult", .cancelled) { start, inner in start.flatMapResult(on: .immediate) { _ in inner.take() } },
    ]

    init(
      _ name: String, _ trigger: PromiseResult<Int, ProbeError>,
      adopt: @escaping @Sendable (Promise<Int, ProbeError>, IntProbe) -> Promise<Int, ProbeError>
    ) {
      description = name
      self.trigger = trigger
      self.adopt = adopt
    }
  }

  private let start = IntProbe()
  private let inner = IntProbe()

  @Test("3.2 before the callback has run, a request goes to the source", arguments: Way.all)
  func beforeInnerExists(by way: Way) {
    let outer = way.adopt(start.take(), inner)
    outer.requestCancel()
    #expect(start.requestCount == 1)
    #expect(inner.requestCount == 0)
  }

  @Test("3.2 a promise that is adopted after the request is asked at once", arguments: Way.all)
  func adoptedAfterRequest(by way: Way) {
    let outer = way.adopt(start.take(), inner)
    outer.requestCancel()
    start.resolver.resolve(with: way.trigger)
    #expect(inner.requestCount == 1)
    #expect(outer.result == nil)
    inner.resolver.cancel()
    #expect(outer.result == .cancelled)
  }

  @Test("3.2 a request that a held source has stopped goes to the promise adopted later", arguments: Way.all)
  func stoppedBefore(by way: Way) {
    let outer = way.adopt(start.promise, inner)
    outer.requestCancel()
    #expect(start.requestCount == 0)
    start.resolver.resolve(with: way.trigger)
    #expect(inner.requestCount == 1)
    #expect(outer.result == nil)
  }

  @Test("3.2 a request made to a promise in the middle is not lost when that adopts another one", arguments: Way.all)
  func madeInTheMiddle(by way: Way) {
    var middle: Promise<Int, ProbeError>? = way.adopt(start.promise, inner)
    let (outer, resolver) = Promise<Int, ProbeError>.makeWithResolver()
    if let middle { resolver.resolve(with: middle) }
    middle?.requestCancel()
    middle = nil
    start.resolver.resolve(with: way.trigger)
    #expect(inner.requestCount == 1)
    inner.resolver.cancel()
    #expect(outer.result == .cancelled)
  }

  @Test("3.2 after the callback has run, a request goes to the promise adopted", arguments: Way.all)
  func afterAdoption(by way: Way) {
    let outer = way.adopt(start.take(), inner)
    start.resolver.resolve(with: way.trigger)
    outer.requestCancel()
    #expect(start.requestCount == 0)
    #expect(inner.requestCount == 1)
    inner.resolver.fulfill(with: 9)
    #expect(outer.result == .value(9))
  }

  @Test("3.2 11.9 cancelling an adopter leaves alone a promise that has other children", arguments: Way.all)
  func otherChildren(by way: Way) {
    let sibling = inner.makeSibling()
    let outer = way.adopt(start.take(), inner)
    start.resolver.resolve(with: way.trigger)
    outer.requestCancel()
    #expect(inner.requestCount == 0)
    sibling.requestCancel()
    #expect(inner.requestCount == 1)
  }

  @Test("3.2 other children that have asked wait for the adopter", arguments: Way.all)
  func adopterBlocks(by way: Way) {
    let sibling = inner.makeSibling()
    let outer = way.adopt(start.take(), inner)
    start.resolver.resolve(with: way.trigger)
    sibling.requestCancel()
    #expect(inner.requestCount == 0)
    outer.requestCancel()
    #expect(inner.requestCount == 1)
  }

  @Test(
    "3.2 cancelling an adopter leaves alone a promise that is held elsewhere, until it is dropped", arguments: Way.all)
  func heldElsewhere(by way: Way) {
    var held: Promise<Int, ProbeError>? = inner.promise
    let outer = way.adopt(start.take(), inner)
    start.resolver.resolve(with: way.trigger)
    outer.requestCancel()
    #expect(inner.requestCount == 0)
    #expect(held != nil)
    held = nil
    #expect(inner.requestCount == 1)
  }

  @Test("3.2 an adopter that is dropped without asking keeps the promise adopted going", arguments: Way.all)
  func droppedAdopter(by way: Way) {
    let sibling = inner.makeSibling()
    do {
      _ = way.adopt(start.take(), inner)
      start.resolver.resolve(with: way.trigger)
    }
    sibling.requestCancel()
    #expect(inner.requestCount == 0)
  }

  @Test("3.2 adopting through several levels, the request gets to the innermost promise", arguments: Way.all)
  func severalLevels(by way: Way) {
    let middle = IntProbe()
    let log = Recorder<PromiseResult<Int, ProbeError>>()
    let outer = middle.take().flatMap(on: .immediate) { [start, inner] _ in way.adopt(start.take(), inner) }
    outer.tap(on: .immediate) { log.record($0) }
    middle.resolver.fulfill(with: 0)
    start.resolver.resolve(with: way.trigger)
    outer.requestCancel()
    #expect(inner.requestCount == 1)
    inner.resolver.cancel()
    #expect(log.entries == [.cancelled])
  }

  @Test("3.2 a request made between two levels of adoption gets to the innermost promise", arguments: Way.all)
  func betweenLevels(by way: Way) {
    let middle = IntProbe()
    let outer = middle.take().flatMap(on: .immediate) { [start, inner] _ in way.adopt(start.take(), inner) }
    middle.resolver.fulfill(with: 0)
    outer.requestCancel()
    #expect(start.requestCount == 1)
    start.resolver.resolve(with: way.trigger)
    #expect(inner.requestCount == 1)
  }
}

@Suite(.inTurn) struct ResolverAdoptionTests {
  private let probe = CancelProbe<Int, Flaw>()

  @Test("1.8 a promise adopted by two others is asked when both have asked")
  func twoAdopters() {
    let adopters = (0..<2).map { _ in
      let (adopter, resolver) = Promise<Int, Flaw>.makeWithResolver()
      resolver.resolve(with: probe.promise)
      return adopter
    }
    probe.drop()
    adopters[0].requestCancel()
    #expect(probe.requestCount == 0)
    adopters[1].requestCancel()
    #expect(probe.requestCount == 1)
  }

  @Test("1.8 adopting after the request asks the promise adopted at once")
  func requestedBefore() {
    let (adopter, resolver) = Promise<Int, Flaw>.makeWithResolver()
    adopter.requestCancel()
    resolver.resolve(with: probe.take())
    #expect(probe.requestCount == 1)
  }

  @Test("1.8 an adopter with cancel handlers runs them and takes its vote back", arguments: [true, false])
  func withHandlers(registeredBefore: Bool) {
    let (adopter, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let calls = Counter()
    if registeredBefore { resolver.onRequestCancel(on: .immediate) { _ in calls.increment() } }
    resolver.resolve(with: probe.take())
    if !registeredBefore { resolver.onRequestCancel(on: .immediate) { _ in calls.increment() } }
    adopter.requestCancel()
    adopter.requestCancel()
    #expect(calls.count == 1)
    #expect(probe.requestCount == 1)
    probe.resolver.cancel()
    #expect(adopter.result == .cancelled)
  }

  @Test("1.8 handlers of an adopter are released with its result, and its vote is gone")
  func releasesHandlers() {
    let tracker = Tracker()
    let (adopter, resolver) = Promise<Int, Flaw>.makeWithResolver()
    do {
      let object = tracker.make()
      resolver.onRequestCancel(on: .immediate) { _ in _ = object }
      resolver.resolve(with: probe.take())
    }
    #expect(tracker.count == 1)
    probe.resolver.fulfill(with: 6)
    #expect(tracker.count == 0)
    adopter.requestCancel()
    #expect(adopter.result == .value(6))
    #expect(probe.requestCount == 0)
  }

  @Test("1.8 a promise in the middle that only a token can reach still passes the token's request on")
  func exposedMiddle() {
    let token = PromiseInvalidationToken()
    let gate = CancelProbe<Int, Flaw>()
    let outer = Promise<Int, Flaw>(fulfilled: 0).flatMap(on: .immediate) { [probe] _ in
      gate.take().flatMap(on: .immediate) { _ in probe.take() }.requestCancelOnInvalidate(token)
    }
    gate.resolver.fulfill(with: 0)
    token.invalidate()
    #expect(probe.requestCount == 1)
    #expect(outer.result == nil)
  }

  @Test("1.8 a promise that adopts already, and then is adopted, still passes a token's request on")
  func exposedAdopter() {
    let token = PromiseInvalidationToken()
    let outer = Promise<Int, Flaw>(fulfilled: 0).flatMap(on: .immediate) { [probe] _ in
      Promise<Int, Flaw>(fulfilled: 0).flatMap(on: .immediate) { _ in probe.take() }
        .requestCancelOnInvalidate(token)
    }
    token.invalidate()
    #expect(probe.requestCount == 1)
    #expect(outer.result == nil)
  }

  @Test("1.8 cancel handlers of a promise that adopts already, and then is adopted, run")
  func adopterWithHandlers() {
    let calls = Counter()
    let outer = Promise<Int, Flaw>(fulfilled: 0).flatMap(on: .immediate) { [probe] _ in
      let (middle, resolver) = Promise<Int, Flaw>.makeWithResolver()
      resolver.onRequestCancel(on: .immediate) { _ in calls.increment() }
      resolver.resolve(with: probe.take())
      // A resolver that is gone does not run its handlers any more.
      probe.resolver.onRequestCancel(on: .immediate) { _ in withExtendedLifetime(resolver) {} }
      return middle
    }
    outer.requestCancel()
    #expect(calls.count == 1)
    #expect(probe.requestCount == 1)
  }

  @Test("3.4 propagatingCancellation() that is adopted calls back")
  func adoptedSharing() {
    let calls = Counter()
    let outer = Promise<Int, Flaw>(fulfilled: 0).flatMap(on: .immediate) { [probe] _ in
      probe.take().propagatingCancellation(on: .immediate) { _ in calls.increment() }
    }
    outer.requestCancel()
    #expect(calls.count == 1)
    #expect(probe.requestCount == 1)
  }
}
