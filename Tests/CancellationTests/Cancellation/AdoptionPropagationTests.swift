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

  /// What happens to an adopter, one thing after the other.
  struct Scenario: Sendable, CustomTestStringConvertible {
    enum Step: Sendable {
      /// The adopter is asked to cancel, or let go.
      case ask, letGo
      /// The start resolves, and the callback has the other promise adopted.
      case adopt
      /// Another child of the promise adopted is asked; the other handle of that promise goes.
      case askSibling, drop
      /// So many requests have reached the start, and the promise adopted.
      case requests(Int, Int)
    }

    /// What else there is.
    enum Other: Sendable { case sibling, handle, handleOfStart }

    let testDescription: String
    let other: Other?
    let steps: [Step]

    init(_ sentence: String, beside other: Other? = nil, _ steps: Step...) {
      testDescription = sentence
      self.other = other
      self.steps = steps
    }

    static let all = [
      Scenario("before the callback has run, a request goes to the source", .ask, .requests(1, 0)),
      Scenario("a promise that is adopted after the request is asked at once", .ask, .adopt, .requests(1, 1)),
      Scenario(
        "a request that a held source has stopped goes to the promise adopted later", beside: .handleOfStart,
        .ask, .requests(0, 0), .adopt, .requests(0, 1)),
      Scenario("after the callback has run, a request goes to the promise adopted", .adopt, .ask, .requests(0, 1)),
      Scenario(
        "11.9 cancelling an adopter leaves alone a promise that has other children", beside: .sibling,
        .adopt, .ask, .requests(0, 0), .askSibling, .requests(0, 1)),
      Scenario(
        "other children that have asked wait for the adopter", beside: .sibling,
        .adopt, .askSibling, .requests(0, 0), .ask, .requests(0, 1)),
      Scenario(
        "cancelling an adopter leaves alone a promise that is held elsewhere, until it is dropped", beside: .handle,
        .adopt, .ask, .requests(0, 0), .drop, .requests(0, 1)),
      Scenario(
        "an adopter that is dropped without asking keeps the promise adopted going", beside: .sibling,
        .adopt, .letGo, .askSibling, .requests(0, 0)),
    ]
  }

  @Test(
    "3.2 11.9 a request to an adopter goes to what that waits for, as one vote, also through several levels of adoption",
    arguments: Way.all, Scenario.all)
  func requests(by way: Way, in scenario: Scenario) {
    let resolved = Promise<Int, ProbeError>(fulfilled: 0)
    for levels in 1...3 {
      let (start, inner) = (IntProbe(), IntProbe())
      let heldStart = scenario.other == .handleOfStart ? start.promise : nil
      let sibling = scenario.other == .sibling ? inner.makeSibling() : nil
      var held = scenario.other == .handle ? inner.promise : nil
      var outer: Promise<Int, ProbeError>? = way.adopt(start.take(), inner)
      for _ in 1..<levels {
        if let adopted = outer { outer = resolved.flatMap(on: .immediate) { _ in adopted } }
      }
      for step in scenario.steps {
        switch step {
        case .ask: outer?.requestCancel()
        case .letGo: outer = nil
        case .adopt: start.resolver.resolve(with: way.trigger)
        case .askSibling: sibling?.requestCancel()
        case .drop: held = nil
        case .requests(let ofStart, let ofInner):
          #expect((start.requestCount, inner.requestCount) == (ofStart, ofInner), "\(levels) levels")
        }
      }
      start.resolver.resolve(with: way.trigger)
      if outer != nil { #expect(outer?.result == nil) }
      inner.resolver.fulfill(with: 9)
      if outer != nil { #expect(outer?.result == .value(9)) }
      withExtendedLifetime((heldStart, held)) {}
    }
  }

  @Test("3.2 a request made to a promise in the middle is not lost when that adopts another one", arguments: Way.all)
  func madeInTheMiddle(by way: Way) {
    let (start, inner) = (IntProbe(), IntProbe())
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
    resolver.onRequestCancel(on: .immediate, tracker.callback())
    resolver.resolve(with: probe.take())
    #expect(tracker.count == 1)
    probe.resolver.fulfill(with: 6)
    #expect(tracker.count == 0)
    adopter.requestCancel()
    #expect(adopter.result == .value(6))
    #expect(probe.requestCount == 0)
  }

  @Test(
    "1.8 a promise in the middle that only a token can reach passes the token's request on, whether it adopts before it is adopted or later",
    arguments: [true, false])
  func exposedMiddle(adoptsBefore: Bool) {
    let token = PromiseInvalidationToken()
    let gate = CancelProbe<Int, Flaw>()
    if adoptsBefore { gate.resolver.fulfill(with: 0) }
    let outer = Promise<Int, Flaw>(fulfilled: 0).flatMap(on: .immediate) { [probe] _ in
      gate.take().flatMap(on: .immediate) { _ in probe.take() }.requestCancelOnInvalidate(token)
    }
    gate.resolver.fulfill(with: 0)
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
