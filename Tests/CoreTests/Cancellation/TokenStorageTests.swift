import Overmorrow
import OvermorrowTesting
import Testing

/// The lifetime of a token, and what it retains.
@Suite(.inTurn) struct TokenLifetimeTests {
  private let probe = IntProbe()

  @Test("4.3 11.7 releasing the last copy of a token invalidates it while promises are pending")
  func endOfToken() {
    var token: PromiseInvalidationToken? = PromiseInvalidationToken()
    var copy = token
    let child = probe.promise.map(on: .immediate, token: token) { _ in Issue.record("suppressed callback runs") }
    if let token { probe.promise.requestCancelOnInvalidate(token) }
    token = nil
    #expect(probe.requestCount == 0)
    #expect(copy != nil)
    copy = nil
    #expect(probe.requestCount == 1)
    probe.resolver.fulfill(with: 1)
    #expect(child.result?.isCancelled == true)
  }

  @Test("4.3 callbacks that wait on their context do not retain the token")
  func queuedCallbacks() {
    let executor = ManualContext()
    let calls = Counter()
    do {
      let token = PromiseInvalidationToken()
      probe.promise.requestCancelOnInvalidate(token)
      let resolved = Promise<Int, Flaw>(fulfilled: 1)
      resolved.then(on: executor.context, token: token) { _ in calls.increment() }
      #expect(executor.count == 1)
    }
    #expect(probe.requestCount == 1)
    executor.runAll()
    #expect(calls.count == 0)
  }

  @Test("4.3 a token captured by the callback that it guards is released with the callback")
  func capturedByItsCallback() {
    let witness = IntProbe()
    do {
      let probe = IntProbe()
      let token = PromiseInvalidationToken()
      witness.promise.requestCancelOnInvalidate(token)
      probe.promise.then(on: .immediate, token: token) { [token] _ in token.invalidate() }
    }
    // The release of the resolver cancels the promise, which releases the callback and with it the token.
    #expect(witness.requestCount == 1)
  }

  @Test("3.5 4.5 a token retains neither promises nor their results")
  func keepsNothing() {
    let tracker = Tracker()
    let token = PromiseInvalidationToken()
    do {
      let probe = CancelProbe<Tracker.Tracked, Flaw>()
      let object = tracker.make()
      probe.promise.requestCancelOnInvalidate(token)
      probe.promise.map(on: .immediate, token: token) { ($0, object) }.requestCancelOnInvalidate(token)
      probe.resolver.fulfill(with: tracker.make())
      #expect(tracker.count == 2)
    }
    #expect(tracker.count == 0)
    token.invalidate()
  }
}
