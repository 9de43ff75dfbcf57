import Overmorrow
import Testing

/// A promise that adopts another one has one vote on it.
@Suite(.inTurn) struct AdoptionPropagationTests {
  typealias Subject = Promise<Int, ProbeError>

  /// A way to adopt a promise: an operator that adopts `inner` when `start` is resolved.
  struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The result of `start` for which the callback runs.
    let trigger: PromiseResult<Int, ProbeError>
    let adopt: @Sendable (_ start: Subject, _ inner: @escaping @Sendable () -> Subject) -> Subject

    static let all = [
      Way(testDescription: "flatMap", trigger: .value(0)) { start, inner in
        start.flatMap(on: .immediate) { _ in inner() }
      },
      Way(testDescription: "throwing flatMap", trigger: .value(0)) { start, inner in
        start.flatMap(on: .immediate) { _ throws(ProbeError) in inner() }
      },
      Way(testDescription: "flatMapError", trigger: .error(.failed)) { start, inner in
        start.flatMapError(on: .immediate) { _ in inner() }
      },
      Way(testDescription: "flatMapResult", trigger: .cancelled) { start, inner in
        start.flatMapResult(on: .immediate) { _ in inner() }
      },
    ]

    /// Adopts a promise through the given number of levels.
    func adopt(_ start: Subject, levels: Int, _ inner: @escaping @Sendable () -> Subject) -> Subject {
      let adopter = adopt(start, inner)
      return levels == 1 ? adopter : Way.all[0].adopt(Promise(fulfilled: 0), levels: levels - 1) { adopter }
    }
  }

  @Test(
    "3.2 a request before the callback reaches a sealed source, and the promise adopted later",
    arguments: Way.all, [false, true])
  func before(by way: Way, isHeld: Bool) {
    for levels in 1...3 {
      let (start, inner) = (IntProbe(), IntProbe())
      let outer = way.adopt(start.promise, levels: levels) { inner.take() }
      if !isHeld { start.drop() }
      outer.requestCancel()
      #expect((start.requestCount, inner.requestCount) == (isHeld ? 0 : 1, 0), "\(levels) levels")
      start.resolver.resolve(with: way.trigger)
      #expect(inner.requestCount == 1, "\(levels) levels")
      #expect(outer.result == nil)
      inner.resolver.cancel()
      #expect(outer.result == .cancelled)
    }
  }

  @Test(
    "3.2 11.9 an adopter has one vote on the adopted promise, through several levels of adoption",
    arguments: Way.all, OperatorPropagationTests.scenarios)
  func after(by way: Way, in scenario: VoteScenario) {
    for levels in 1...3 {
      scenario.run("through \(levels) levels") {
        let (start, inner) = (IntProbe(), IntProbe())
        let outer = way.adopt(start.take(), levels: levels) { inner.promise }
        start.resolver.resolve(with: way.trigger)
        return (inner, [AnyChild(outer)] + scenario.children.map { _ in inner.makeSibling() })
      }
    }
  }

  @Test("3.2 a request to an adopted promise is passed to the promise it adopts later", arguments: Way.all)
  func madeInTheMiddle(by way: Way) {
    let (start, inner) = (IntProbe(), IntProbe())
    var middle: Promise<Int, ProbeError>? = way.adopt(start.promise) { inner.take() }
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

  @Test("1.8 when an adopter is resolved, its handlers are released and its vote is gone")
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
    "1.8 an adopter without handles passes a token's request on, in either order of adoption",
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

  @Test("1.8 cancel handlers run on an adopter that is itself adopted, in either order", arguments: [true, false])
  func adopterWithHandlers(adoptsBefore: Bool) {
    let middle = CancelProbe<Int, Flaw>()
    if adoptsBefore { middle.resolver.resolve(with: probe.take()) }
    let outer = Promise<Int, Flaw>(fulfilled: 0).flatMap(on: .immediate) { _ in middle.take() }
    if !adoptsBefore { middle.resolver.resolve(with: probe.take()) }
    outer.requestCancel()
    #expect(middle.requestCount == 1)
    #expect(probe.requestCount == 1)
  }

  @Test("3.4 a propagatingCancellation() promise that is adopted calls its callback")
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
