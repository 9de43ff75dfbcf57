import Overmorrow
import OvermorrowTesting
import Testing

/// How long a token lives, and what it keeps.
@Suite(.inTurn) struct TokenLifetimeTests {
  private let probe = IntProbe()

  @Test(
    "4.3 11.7 a token invalidates itself when its last copy goes, also while promises registered with it are unresolved"
  )
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

  @Test("4.3 callbacks that wait on their context do not keep the token")
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

  @Test("4.3 a token captured by the callback that it guards goes with the callback")
  func capturedByItsCallback() {
    let witness = IntProbe()
    do {
      let probe = IntProbe()
      let token = PromiseInvalidationToken()
      witness.promise.requestCancelOnInvalidate(token)
      probe.promise.then(on: .immediate, token: token) { [token] _ in token.invalidate() }
    }
    // The resolver is gone: the promise is cancelled, the callback is dropped, and the token with it.
    #expect(witness.requestCount == 1)
  }

  @Test("3.5 4.5 a token keeps neither promises nor their results")
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
