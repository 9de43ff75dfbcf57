import Testing

@testable import Overmorrow

/// The memory that a pending promise retains for operators that no longer wait for it.
@Suite(.inTurn) struct LeavingTests {
  private typealias Subject = Promise<Int, Flaw>

  @Test("3.13 a pending promise does not grow with past uses of it", arguments: PastUse.all)
  func uses(of use: PastUse) async {
    let (promise, resolver) = Subject.makeWithResolver()
    for _ in 0..<use.times { await use.run(promise) }
    #expect(promise.waiterCount <= 2)
    let seen = Recorder<Int>()
    promise.then(on: .immediate) { seen.record($0) }
    for _ in 0..<use.times { await use.run(promise) }
    #expect(promise.waiterCount <= 5)
    resolver.fulfill(with: 1)
    #expect(seen.entries == [1])
  }

  @Test("3.13 5.2 a race without handles that was asked to cancel still asks its other inputs")
  func cancellingCombinator() {
    let (first, resolver) = Subject.makeWithResolver()
    let other = IntProbe()
    do {
      let whole = when(
        first: [first.mapError(on: .immediate) { _ in ProbeError.failed }, other.promise], cancelRemaining: true)
      whole.requestCancel()
    }
    #expect(other.requestCount == 0)
    resolver.fulfill(with: 1)
    #expect(other.requestCount == 1)
  }

  @Test("3.13 100,000 children without callbacks that were asked to cancel leave the promise's list")
  func longChain() {
    let count = scaled(100_000)
    let (promise, resolver) = Subject.makeWithResolver()
    var end: Subject? = promise
    for _ in 0..<count { end = end?.makeChild() }
    end?.requestCancel()
    #expect(promise.waiterCount == 1)
    end = nil
    for _ in 0..<count { promise.makeChild().requestCancel() }
    #expect(promise.waiterCount <= 2)
    resolver.fulfill(with: 1)
  }

  @Test("3.13 1.8 an adopter ends whose last child ends inside the request to cancel")
  func adopterOfEndedChild() {
    let resolver = {
      let (source, resolver) = Subject.makeWithResolver()
      let child = {
        let (adopter, adopting) = Subject.makeWithResolver()
        adopting.resolve(with: source)
        return adopter.makeChildCancelledOnRequest()
      }()
      withExtendedLifetime(consume source) {}
      child.requestCancel()
      #expect(child.result == .cancelled)
      return resolver
    }()
    #expect(resolver.isUnneeded)
  }

  @Test("2.5 the remaining observers run in order after others have left from any place")
  func order() {
    for leaving in [[0, 1, 2], [3, 5, 7], [9, 8, 7], [0, 9], [5], Array(0..<10), [0, 2, 4, 6, 8, 1, 3]] {
      let (promise, resolver) = Subject.makeWithResolver()
      let seen = Recorder<Int>()
      var owned = (0..<10).map { number -> PromiseCancellable? in
        promise.then(on: .immediate) { _ in seen.record(number) }.owned()
      }
      for number in leaving { owned[number] = nil }
      promise.then(on: .immediate) { _ in seen.record(10) }
      let waiting = 11 - leaving.count
      #expect(promise.waiterCount <= 2 * waiting + 2)
      resolver.fulfill(with: 1)
      #expect(seen.entries == (0...10).filter { !leaving.contains($0) })
    }
  }

  @Test("3.13 2.5 while observers leave and arrive, each remaining observer runs once and in order")
  func races() async {
    await race(
      rounds: 3000,
      {
        let (promise, resolver) = Subject.makeWithResolver()
        let seen = Recorder<Int>()
        let owned = (0..<6).map { number in Holder(promise.then(on: .immediate) { _ in seen.record(number) }.owned()) }
        return (promise: promise, resolver: resolver, seen: seen, owned: owned)
      },
      { for number in [0, 3, 4] { $0.owned[number].value = nil } },
      { for number in [5, 1] { $0.owned[number].value = nil } },
      { round in
        for number in 10..<13 { round.promise.then(on: .immediate) { _ in round.seen.record(number) } }
        round.resolver.fulfill(with: 1)
      },
      check: { round in
        let seen = round.seen.entries
        if !seen.contains(2) { return "the one that nobody ended did not run: \(seen)" }
        if !(10..<13).allSatisfy(seen.contains) { return "a late one is missing: \(seen)" }
        return seen == seen.sorted() && Set(seen).count == seen.count ? nil : "not in order, or twice: \(seen)"
      })
  }
}
