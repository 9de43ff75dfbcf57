import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

/// The entries that remain in a token after its last registration.
@Suite(.inTurn) struct TokenIdleTests {
  private let token = PromiseInvalidationToken()
  private let tracker = Tracker()

  @Test("4.5 a token without further calls removes resolved promises that still have handles")
  func promises() {
    let probes = (0..<10_000).map { _ in CancelProbe<Tracker.Tracked, Flaw>() }
    for probe in probes { probe.promise.requestCancelOnInvalidate(token) }
    #expect(token.entryCount == 10_000)
    for probe in probes.dropFirst(100) { probe.resolver.fulfill(with: tracker.make()) }
    #expect(token.entryCount <= 200)
    for probe in probes.prefix(100).dropFirst(10) { probe.resolver.cancel() }
    #expect(token.entryCount <= 20)
    token.invalidate()
    #expect(probes.prefix(10).allSatisfy { $0.requestCount == 1 })
    #expect(probes.dropFirst(10).allSatisfy { $0.requestCount == 0 })
    #expect(token.entryCount == 0)
  }

  @Test("4.5 a token removes cancelled promises")
  func cancelled() {
    let probes = (0..<1000).map { _ in IntProbe(complying: true) }
    for probe in probes { probe.promise.requestCancelOnInvalidate(token) }
    for probe in probes { probe.promise.requestCancel() }
    #expect(token.entryCount <= 16)
  }

  @Test("4.5 a promise is listed once per invalidation, however often it is registered")
  func once() {
    let probe = IntProbe()
    for _ in 0..<1000 { probe.promise.requestCancelOnInvalidate(token) }
    #expect(token.entryCount == 1)
    for round in 1...1000 {
      token.cancelWithoutInvalidating()
      #expect(token.entryCount == 0)
      probe.promise.requestCancelOnInvalidate(token)
      if round < 3 { #expect(token.entryCount == 1) }
    }
    #expect(probe.requestCount == 1)
    let others = (0..<16).map { _ in IntProbe() }
    for other in others { other.promise.requestCancelOnInvalidate(token) }
    for other in others { other.resolver.fulfill(with: 1) }
    #expect(token.entryCount <= 16)
  }

  @Test("4.5 a token removes steps that resolve after their handles were released")
  func steps() {
    let probes = (0..<1000).map { _ in IntProbe() }
    for probe in probes {
      probe.take().bound(to: probe, token: token).map(on: .immediate) { $1 }.then(on: .immediate) { _, _ in }
    }
    #expect(token.entryCount == 2000)
    for probe in probes { probe.resolver.fulfill(with: 1) }
    #expect(token.entryCount <= 16)
  }

  @Test("4.4 4.5 a token removes ended tokens that it followed or that followed it", arguments: [true, false])
  func tokens(isFollowed: Bool) {
    var others = (0..<10_000).map { _ in PromiseInvalidationToken() }
    for other in others {
      if isFollowed { other.chainInvalidation(from: token) } else { token.chainInvalidation(from: other) }
    }
    #expect(token.entryCount == 10_000)
    others.removeLast(9900)
    #expect(token.entryCount <= 200)
    let gates = isFollowed ? others.map(\.gate) : [token.gate]
    if isFollowed { token.invalidate() } else { others.last?.invalidate() }
    #expect(gates.allSatisfy { $0.isShut })
  }

  @Test("4.5 a pending promise releases ended tokens and still receives requests of the remaining ones")
  func comingAndGoing() {
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    var isThere: [() -> Bool] = []
    for number in 0..<1000 {
      let passing = PromiseInvalidationToken(invalidateOnDeinit: number % 2 == 0)
      promise.requestCancelOnInvalidate(passing)
      isThere.append { [weak roster = passing.storage.roster] in roster != nil }
    }
    #expect((1...10).contains(isThere.filter { $0() }.count))
    let others = (0..<40).map { _ in PromiseInvalidationToken() }
    for _ in 0..<3 {
      for other in others { promise.requestCancelOnInvalidate(other) }
    }
    others[39].invalidate()
    #expect(resolver.hasRequestedCancel)
    resolver.fulfill(with: 1)
  }

  @Test("4.5 a resolved promise leaves the lists of all its tokens")
  func many() {
    let tokens = (0..<100).map { _ in PromiseInvalidationToken() }
    for _ in 0..<64 {
      let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
      for token in tokens { promise.requestCancelOnInvalidate(token) }
      resolver.fulfill(with: 1)
    }
    #expect(tokens.allSatisfy { $0.entryCount <= 16 })
  }

  @Test("4.5 a token removes promises that end while others are registered on another thread")
  func racing() async {
    await race(
      rounds: 2000, within: .seconds(2),
      { (token: PromiseInvalidationToken(), probes: Holder((0..<100).map { _ in IntProbe() })) },
      { round in for probe in round.probes.value ?? [] { probe.promise.requestCancelOnInvalidate(round.token) } },
      { round in for probe in round.probes.value ?? [] { probe.resolver.fulfill(with: 1) } },
      check: { round in
        round.probes.value = nil
        return round.token.entryCount <= 16 ? nil : "\(round.token.entryCount) entries"
      })
  }
}
