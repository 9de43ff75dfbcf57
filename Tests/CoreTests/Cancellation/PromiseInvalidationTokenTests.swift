import Overmorrow
import Testing

@Suite(.inTurn) struct PromiseInvalidationTokenTests {
  private let calls = Counter()
  private let probe = IntProbe()
  private let token = PromiseInvalidationToken()

  @Test("4.1 a callback that invalidates its token suppresses the later callbacks of the same pass")
  func invalidatedInsideThePass() {
    let log = Recorder<Int>()
    probe.promise.then(on: .immediate, token: token) { _ in log.record(1) }
    probe.promise.then(on: .immediate, token: token) { [token] _ in
      log.record(2)
      token.invalidate()
    }
    probe.promise.then(on: .immediate, token: token) { _ in log.record(3) }
    probe.promise.then(on: .immediate) { _ in log.record(4) }
    probe.resolver.fulfill(with: 0)
    #expect(log.entries == [1, 2, 4])
  }

  @Test("4.1 4.9 an invalidation does not affect a callback that has started")
  func running() {
    let child = probe.promise.map(on: .immediate, token: token) { [token] value in
      token.invalidate()
      return value + 1
    }
    probe.resolver.fulfill(with: 1)
    #expect(child.result == .value(2))
  }

  @Test("4.1 4.9 an invalidation does not affect a promise that already adopts another one")
  func adopting() {
    let inner = IntProbe()
    let outer = Promise<Int, ProbeError>(fulfilled: 0).flatMap(on: .immediate, token: token) { _ in inner.take() }
    token.invalidate()
    inner.resolver.fulfill(with: 5)
    #expect(outer.result == .value(5))
    #expect(inner.requestCount == 0)
  }

  @Test("4.2 a promise that a cancel handler registers belongs to the next invalidation")
  func registeredMeanwhile() {
    let (promise, resolver) = Promise<Int, ProbeError>.makeWithResolver()
    let next = IntProbe()
    resolver.onRequestCancel(on: .immediate) { [token] _ in
      token.requestCancelOnInvalidate(next.promise)
      next.promise.then(on: .immediate, token: token) { _ in calls.increment() }
    }
    token.requestCancelOnInvalidate(promise)
    token.invalidate()
    #expect(next.requestCount == 0)
    next.resolver.fulfill(with: 0)
    #expect(calls.count == 1)
  }

  @Test("4.2 4.11 a cancel handler may invalidate the same token")
  func recursion() {
    let (promise, resolver) = Promise<Int, ProbeError>.makeWithResolver()
    resolver.onRequestCancel(on: .immediate) { [token] _ in
      calls.increment()
      token.requestCancelOnInvalidate(promise)
      token.invalidate()
    }
    let other = IntProbe()
    token.requestCancelOnInvalidate(promise)
    token.requestCancelOnInvalidate(other.promise)
    token.invalidate()
    #expect(calls.count == 1)
    #expect(other.requestCount == 1)
  }

  @Test("4.2 4.8 promises are asked in the order of registration, and registering returns the promise")
  func order() {
    let log = Recorder<Int>()
    let resolvers = (0..<20).map { number in
      let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
      resolver.onRequestCancel(on: .immediate) { _ in log.record(number) }
      #expect(promise.requestCancelOnInvalidate(token) == promise)
      return resolver
    }
    token.invalidate()
    #expect(log.entries == Array(0..<20))
    withExtendedLifetime(resolvers) {}
  }

  @Test("4.1 4.12 copies of a token are equal and act as one; its description is constant")
  func identity() {
    let (copy, other, description) = (token, PromiseInvalidationToken(), token.description)
    #expect(copy == token && copy.hashValue == token.hashValue)
    #expect(other != token)
    #expect(Set([token, copy, other]).count == 2)
    copy.requestCancelOnInvalidate(probe.promise)
    token.invalidate()
    #expect(probe.requestCount == 1)
    #expect(description.hasPrefix("PromiseInvalidationToken(") && description != other.description)
    #expect("\(token)" == description)
  }

  @Test("4.13 the debug description counts the connections of the token, without those that have ended")
  func debugDescription() {
    var probes = (0..<3).map { _ in IntProbe() }
    var followers = (0..<2).map { _ in PromiseInvalidationToken() }
    func ending() -> String { String(token.debugDescription.dropFirst(token.description.count - 1)) }
    #expect(ending() == ", 0 promises, 0 tokens, invalidateOnDeinit: true)")
    for probe in probes { token.requestCancelOnInvalidate(probe.promise) }
    for follower in followers { follower.chainInvalidation(from: token) }
    #expect(ending() == ", 3 promises, 2 tokens, invalidateOnDeinit: true)")
    probes[0].resolver.fulfill(with: 1)
    probes.remove(at: 1)
    followers.removeLast()
    #expect(ending() == ", 1 promise, 1 token, invalidateOnDeinit: true)")
    token.invalidate()
    #expect(ending() == ", 0 promises, 1 token, invalidateOnDeinit: true)")
    let kept = PromiseInvalidationToken(invalidateOnDeinit: false)
    #expect(kept.debugDescription.hasSuffix(", 0 promises, 0 tokens, invalidateOnDeinit: false)"))
  }

  @Test("1.21 4.13 dump lists a token's promises and tokens, even in a cycle of tokens")
  func dumped() {
    let (first, second, follower) = (IntProbe(), IntProbe(), PromiseInvalidationToken())
    token.requestCancelOnInvalidate(first.promise)
    token.requestCancelOnInvalidate(second.promise)
    follower.chainInvalidation(from: token)
    token.chainInvalidation(from: follower)
    let identities = [first, second].compactMap { Mirror(reflecting: $0.promise).descendant("identity") as? String }
    #expect(Set(identities).count == 2)
    var text = ""
    dump(token, to: &text)
    #expect(text.hasPrefix("▿ \(token.debugDescription)\n  - invalidateOnDeinit: true\n"))
    for identity in identities { #expect(text.contains("- \"\(identity)\"\n")) }
    #expect(text.contains("- \"\(follower)\"\n"))
  }
}
