import Overmorrow
import Testing

/// Tokens that follow other tokens. `TokenForestTests` check against a model which tokens an invalidation reaches.
@Suite(.inTurn) struct TokenChainingTests {
  @Test(
    "4.2 4.4 4.7 an invalidation suppresses callbacks of the token and its followers before it requests cancellations",
    arguments: [(0, 0), (0, 1), (1, 0)], [true, false])
  func suppressesFirst(roles: (asking: Int, suppressing: Int), isInvalidation: Bool) {
    let tokens = [PromiseInvalidationToken(), PromiseInvalidationToken()]
    tokens[1].chainInvalidation(from: tokens[0])
    let (log, probe) = (Recorder<String>(), IntProbe(complying: true))
    probe.promise.requestCancelOnInvalidate(tokens[roles.asking])
    let token = tokens[roles.suppressing]
    probe.promise.always(on: .immediate, token: token) { log.record("always \($0)") }
    probe.promise.onCancel(on: .immediate, token: token) { log.record("onCancel") }
    if isInvalidation { tokens[0].invalidate() } else { tokens[0].cancelWithoutInvalidating() }
    #expect(probe.requestCount == 1)
    #expect(probe.promise.result == .cancelled)
    #expect(log.entries == (isInvalidation ? [] : ["always cancelled", "onCancel"]))
    withExtendedLifetime(tokens) {}
  }

  @Test("4.4 a chain of 20,000 tokens is invalidated and freed on a small stack")
  func longChain() async throws {
    let probe = IntProbe()
    let isAsked = try await onSmallStack {
      var tokens = [PromiseInvalidationToken()]
      probe.promise.requestCancelOnInvalidate(tokens[0])
      for _ in 0..<scaled(20_000) {
        let parent = PromiseInvalidationToken()
        tokens[tokens.count - 1].chainInvalidation(from: parent)
        tokens.append(parent)
      }
      tokens[tokens.count - 1].invalidate()
      return probe.requestCount == 1
    }
    #expect(isAsked)
  }
}
