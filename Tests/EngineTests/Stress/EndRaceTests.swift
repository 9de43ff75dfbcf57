import Overmorrow
import Testing

extension StressTests {
  /// Races between the end of a promise, or of a callback's right to run, and threads that still use it.
  @Suite struct EndRaceTests {
    private typealias IntPromise = Promise<Int, Reason>

    @Test("3.5 a cancellable used while its promise is released asks at most once")
    func cancellableAgainstTheEnd() async {
      let tracker = Tracker()
      await race(
        rounds: 10_000, within: .seconds(2),
        {
          let requests = Counter()
          let (promise, resolver) = IntPromise.makeWithResolver()
          resolver.onRequestCancel(on: .immediate, tracker.callback { _ in requests.increment() })
          promise.then(on: .immediate, tracker.callback())
          let ends = (handle: Holder(promise), resolver: Holder(resolver))
          return (cancellable: promise.cancellable, ends: ends, requests: requests)
        },
        { $0.cancellable.requestCancel() },
        { round in
          round.ends.handle.value = nil
          round.ends.resolver.value = nil
        },
        check: { round in
          // Uses the weak reference after the promise has been deallocated.
          round.cancellable.requestCancel()
          if tracker.count != 0 { return "\(tracker.count) callbacks are left" }
          return round.requests.count <= 1 ? nil : "asked \(round.requests.count) times"
        })
      #expect(tracker.count == 0)
    }

    @Test("3.5 a cancellable used while its promise is fulfilled never changes the result")
    func cancellableAgainstResult() async {
      await race(
        rounds: 10_000, within: .seconds(2),
        {
          let (promise, resolver) = IntPromise.makeWithResolver()
          let (child, seen) = (promise.map(on: .immediate) { $0 + 1 }, Recorder<PromiseResult<Int, Reason>>())
          child.tap(on: .immediate) { seen.record($0) }
          return (cancellable: child.cancellable, resolver: resolver, child: Holder(child), seen: seen)
        },
        { $0.cancellable.requestCancel() }, { $0.resolver.fulfill(with: 7) }, { $0.child.value = nil },
        check: { round in
          let entries = round.seen.entries
          return entries == [.value(8)] ? nil : "\(entries)"
        })
    }

    @Test("4.1 when an invalidation races with the result, each callback is released either way")
    func invalidatingAgainstDelivery() async {
      let tracker = Tracker()
      await race(
        rounds: 10_000, within: .seconds(2),
        {
          let (token, runs) = (PromiseInvalidationToken(invalidateOnDeinit: false), [Counter(), Counter()])
          let (promise, resolver) = IntPromise.makeWithResolver()
          let object = tracker.make()
          let mapped = promise.map(on: .immediate, token: token) { value in
            withExtendedLifetime(object) { _ = runs[0].increment() }
            return value + 1
          }
          let observed = promise.then(on: .immediate, token: token, tracker.callback { _ in runs[1].increment() })
          return (token: token, resolver: resolver, mapped: mapped, observed: observed, runs: runs)
        },
        { $0.token.invalidate() }, { $0.resolver.fulfill(with: 7) },
        check: { round in
          if tracker.count != 0 { return "\(tracker.count) callbacks are left" }
          // One invalidation is a point in time: after a callback has been suppressed by it, no later one may run.
          let ran = round.runs.map(\.count)
          if ![[0, 0], [1, 0], [1, 1]].contains(ran) { return "the callbacks ran \(ran) times" }
          if round.observed.result != .value(7) { return "\(round.observed)" }
          let expected: PromiseResult<Int, Reason> = ran[0] == 1 ? .value(8) : .cancelled
          return round.mapped.result == expected ? nil : "\(round.mapped), but ran \(ran[0]) times"
        })
    }

    @Test("3.2 when the last handle's release races with the result, observers receive it once")
    func lastHandleAgainstResult() async {
      let tracker = Tracker()
      await race(
        rounds: 10_000, within: .seconds(2),
        {
          let seen = Recorder<PromiseResult<Int, Reason>>()
          let requests = Counter()
          let (promise, resolver) = IntPromise.makeWithResolver()
          let object = tracker.make()
          promise.map(on: .immediate) { value in withExtendedLifetime(object) { value + 1 } }
            .tap(on: .immediate) { seen.record($0) }
          resolver.onRequestCancel(on: .immediate) { _ in requests.increment() }
          return (handle: Holder(promise), resolver: resolver, seen: seen, requests: requests)
        },
        { $0.handle.value = nil }, { $0.resolver.fulfill(with: 7) },
        check: { round in
          if tracker.count != 0 { return "\(tracker.count) callbacks are left" }
          if round.requests.count != 0 { return "asked although no child has" }
          return round.seen.entries == [.value(8)] ? nil : "\(round.seen.entries)"
        })
    }
  }
}
