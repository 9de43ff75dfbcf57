#if os(macOS) || os(Linux)
  import Overmorrow
  import Testing

  /// What ends while a token forgets it. In processes of their own: a lock taken twice ends the process.
  @Suite(.heavy) struct TokenLockTests {
    /// What goes away on one thread while another thread makes the token sweep its lists.
    private struct Round: Sendable {
      let token = PromiseInvalidationToken()
      let ended = Counter()
      let resolvers = Recorder<Promise<Int, Flaw>.Resolver>()

      /// Makes the token look at what is in its lists.
      func sweep() {
        for _ in 0..<300 { PromiseInvalidationToken(invalidateOnDeinit: false).chainInvalidation(from: token) }
      }
    }

    @Test("4.4 a token that ends while the one it follows forgets it may cancel promises that use that one")
    func childEnds() async {
      await #expect(processExitsWith: .success) {
        await race(
          rounds: 2000, within: .seconds(3), { Round() },
          { round in
            for _ in 0..<300 {
              let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
              round.resolvers.record(resolver)
              resolver.onRequestCancel(on: .immediate) { _ in
                promise.requestCancelOnInvalidate(round.token)
                round.ended.increment()
              }
              let child = PromiseInvalidationToken()
              promise.requestCancelOnInvalidate(child)
              child.chainInvalidation(from: round.token)
            }
          }, { $0.sweep() },
          check: { round in round.ended.count == 300 ? nil : "\(round.ended.count) of 300 promises were asked" })
      }
    }

    @Test("4.5 4.11 a value that ends while a token forgets its promise may use the token")
    func valueEnds() async {
      await #expect(processExitsWith: .success) {
        let tracker = Tracker()
        await race(
          rounds: 2000, within: .seconds(3), { Round() },
          { round in
            for _ in 0..<300 {
              let (promise, resolver) = Promise<Tracker.Tracked, Flaw>.makeWithResolver()
              promise.requestCancelOnInvalidate(round.token)
              resolver.fulfill(
                with: tracker.make {
                  round.token.invalidate()
                  round.ended.increment()
                })
            }
          }, { $0.sweep() },
          check: { round in round.ended.count == 300 ? nil : "\(round.ended.count) of 300 values ended" })
        #expect(tracker.count == 0)
      }
    }
  }
#endif
