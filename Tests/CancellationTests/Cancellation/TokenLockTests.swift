#if os(macOS) || os(Linux)
  import Overmorrow
  import Testing

  /// What ends while a token forgets it. In processes of their own: a lock taken twice ends the process.
  @Suite(.heavy) struct TokenLockTests {
    enum Kind: Codable, CaseIterable { case follower, value }

    private struct Round: Sendable {
      let token = PromiseInvalidationToken()
      let ended = Counter()
      private let resolvers = Recorder<Promise<Int, Flaw>.Resolver>()

      /// A token that follows ends, which cancels a promise whose handler uses the one that it follows.
      func endFollower() {
        let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
        resolvers.record(resolver)
        resolver.onRequestCancel(on: .immediate) { _ in
          promise.requestCancelOnInvalidate(token)
          ended.increment()
        }
        let child = PromiseInvalidationToken()
        promise.requestCancelOnInvalidate(child)
        child.chainInvalidation(from: token)
      }

      /// A value ends with its promise, and uses the token.
      func endValue(_ tracker: Tracker) {
        let (promise, resolver) = Promise<Tracker.Tracked, Flaw>.makeWithResolver()
        promise.requestCancelOnInvalidate(token)
        resolver.fulfill(
          with: tracker.make {
            token.invalidate()
            ended.increment()
          })
      }
    }

    @Test(
      "4.4 4.5 4.11 a token that follows, or the value of a promise, may use a token that sweeps its lists and forgets it",
      arguments: Kind.allCases)
    func ends(_ kind: Kind) async {
      await #expect(processExitsWith: .success) { [kind] in
        let tracker = Tracker()
        await race(
          rounds: 2000, within: .seconds(3), { Round() },
          { round in for _ in 0..<300 { kind == .follower ? round.endFollower() : round.endValue(tracker) } },
          { round in
            for _ in 0..<300 {
              PromiseInvalidationToken(invalidateOnDeinit: false).chainInvalidation(from: round.token)
            }
          }, check: { round in round.ended.count == 300 ? nil : "\(round.ended.count) of 300 have ended" })
        #expect(tracker.count == 0)
      }
    }
  }
#endif
