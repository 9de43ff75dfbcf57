import Dispatch
import Testing

@testable import Overmorrow

/// The time at which an invalidation releases a callback.
@Suite(.inTurn) struct TokenReleaseTests {
  private let token = PromiseInvalidationToken()
  private let tracker = Tracker()

  @Test("2.6 an invalidation releases a suppressed callback that waits for its queue")
  func queued() async {
    let queue = DispatchQueue(label: "busy")
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    queue.suspend()
    let child = promise.then(on: .queue(queue), token: token, tracker.callback())
    resolver.fulfill(with: 1)
    token.invalidate()
    #expect(tracker.count == 0)
    queue.resume()
    #expect(await child.finalResult == .value(1))
  }

  @Test("2.6 2.4 an invalidation of a followed token releases the bound callbacks of a chain")
  func boundAndFollowing() {
    final class Owner: Sendable {}
    let (owner, other) = (Owner(), PromiseInvalidationToken())
    token.chainInvalidation(from: other)
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let ends = (0..<3).map { _ in
      promise.bound(to: owner, token: token).map(on: .immediate) { [object = tracker.make()] _, value in
        withExtendedLifetime(object) { value }
      }.inner
    }
    #expect(tracker.count == 3)
    other.invalidate()
    #expect(tracker.count == 0)
    resolver.fulfill(with: 1)
    #expect(ends.allSatisfy { $0.result == .cancelled })
  }

  @Test("4.1 3.2 a suppressed observer that was not asked to cancel keeps its vote")
  func keepsVote() {
    let probe = IntProbe()
    probe.promise.then(on: .immediate, token: token) { _ in }
    let other = probe.promise.makeChild()
    #expect(probe.promise.waiterCount == 2)
    token.invalidate()
    probe.drop()
    other.requestCancel()
    #expect(probe.requestCount == 0)
    probe.resolver.fulfill(with: 1)
    #expect(other.result == .value(1))
  }

  @Test("4.11 objects released by an invalidation may invalidate the token and register with it")
  func reentrant() {
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let (token, seen) = (token, Recorder<Int>())
    let end: @Sendable () -> Void = {
      token.invalidate()
      promise.then(on: .immediate, token: token) { seen.record($0) }
    }
    promise.then(on: .immediate, token: token, tracker.callback({ _ in seen.record(-1) }, onDeinit: end))
    promise.then(on: .immediate, token: token) { seen.record(-$0) }
    token.invalidate()
    resolver.fulfill(with: 1)
    #expect(seen.entries == [1])
  }

  @Test("2.6 4.1 one invalidation releases 100,000 callbacks without deep recursion")
  func many() async throws {
    let findings = try await onSmallStack { [token, tracker] in
      let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
      let ran = Counter()
      for _ in 0..<scaled(100_000) {
        promise.then(on: .immediate, token: token, tracker.callback { _ in _ = ran.increment() })
      }
      token.invalidate()
      let left = tracker.count
      resolver.fulfill(with: 1)
      return [left, ran.count]
    }
    #expect(findings == [0, 0])
  }

  @Test("2.6 4.1 callbacks of a token invalidated during resolution run at most once and are released")
  func races() async {
    await race(
      rounds: 3000,
      {
        let (token, tracker, ran) = (PromiseInvalidationToken(), Tracker(), Counter())
        let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
        let observe = { @Sendable () -> Void in
          promise.then(on: .immediate, token: token, tracker.callback { _ in _ = ran.increment() })
        }
        for _ in 0..<4 { observe() }
        return (token: token, resolver: resolver, observe: observe, tracker: tracker, ran: ran)
      },
      { $0.token.invalidate() }, { $0.resolver.fulfill(with: 1) }, { $0.observe() },
      check: { round in
        let (left, ran) = (round.tracker.count, round.ran.count)
        return left == 0 && ran <= 5 ? nil : "\(left) left, \(ran) ran"
      })
  }
}
