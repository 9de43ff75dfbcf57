import Overmorrow
import Testing

@Suite(.inTurn) struct AdoptingTests {
  private typealias IntPromise = Promise<Int, Reason>

  @Test("1.8 an adopter has one vote on the adopted promise, before and after adoption", arguments: [false, true])
  func vote(isAskedBefore: Bool) {
    let ((adopters, sibling), inner) = CancelProbe<Int, Reason>.feed { inner in
      let adopters = (0..<2).map { number in
        let (promise, resolver) = IntPromise.makeWithResolver()
        if isAskedBefore, number == 1 { promise.requestCancel() }
        resolver.resolve(with: inner)
        return promise
      }
      return (adopters, inner.map(on: .immediate) { $0 })
    }
    adopters[0].requestCancel()
    #expect(inner.requestCount == 0)
    sibling.requestCancel()
    #expect(inner.requestCount == (isAskedBefore ? 1 : 0))
    adopters[1].requestCancel()
    #expect(inner.requestCount == 1)
    #expect(adopters.map(\.result) == [nil, nil])
    inner.resolver.cancel()
    #expect(adopters.map(\.result) == [.cancelled, .cancelled])
  }

  @Test("1.8 an unresolved adoption leaves nothing behind when its resolvers are released")
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

  @Test(
    "1.8 2.4 when adoption races with the adopted promise's result, the adopter gets it once",
    arguments: [false, true])
  func race(isByFlatMap: Bool) async {
    await TestSupport.race(
      rounds: 500,
      {
        let (inner, source, seen) = (IntPromise.makeWithResolver(), IntPromise.makeWithResolver(), Counter())
        let adopter = isByFlatMap ? source.0.flatMap(on: .immediate) { _ in inner.0 } : source.0
        adopter.tap(on: .immediate) { _ in seen.increment() }
        return (inner: inner, source: source, adopter: adopter, seen: seen)
      },
      { isByFlatMap ? $0.source.1.fulfill(with: 1) : $0.source.1.resolve(with: $0.inner.0) },
      { $0.inner.1.fulfill(with: 7) }, { $0.adopter.requestCancel() },
      check: { round in
        guard round.adopter.result == .value(7) else { return "\(round.adopter)" }
        return round.seen.count == 1 ? nil : "\(round.seen.count) observations"
      })
  }
}
