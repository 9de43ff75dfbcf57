#if os(macOS) || os(Linux)
  import Overmorrow
  import Testing

  /// Objects that are released while a token removes them. Each test runs in its own process, because taking a lock
  /// twice ends the process.
  @Suite(.heavy) struct TokenLockTests {
    enum Kind: Codable, CaseIterable { case follower, value }

    private struct Round: Sendable {
      let token = PromiseInvalidationToken()
      let ended = Counter()
      private let resolvers = Recorder<Promise<Int, Flaw>.Resolver>()

      /// Releases a token that follows another. This cancels a promise whose handler uses the token that is followed.
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

      /// Releases a promise together with its value, which uses the token in its `deinit`.
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
      "4.4 4.5 4.11 a follower or a value released while a token sweeps may use the token",
      arguments: Kind.allCases)
    func ends(_ kind: Kind) async throws {
      try await ExitArgument.passing(kind) {
        await #expect(processExitsWith: .success) {
          let kind = try ExitArgument.taken(Kind.self)
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
  }
#endif
