import Overmorrow
import Testing

/// Races between requests to cancel and everything that can happen at the same time.
@Suite(.heavy) struct CancellationRaceTests {
  private let tracker = Tracker()

  /// A promise with one child, where every callback captures a tracked object.
  private struct Pair: Sendable {
    let probe: CancelProbe<Tracker.Tracked, Flaw>
    let child: Promise<Bool, Flaw>

    init(complying: Bool, _ tracker: Tracker) {
      probe = CancelProbe(complying: complying)
      let object = tracker.make()
      probe.resolver.onRequestCancel(on: .immediate) { _ in _ = object }
      child = probe.promise.map(on: .immediate) { _ in withExtendedLifetime(object) { true } }
    }
  }

  @Test("3.1 3.7 3.12 a request during fulfilling runs the handler at most once and changes no result")
  func againstResolving() async {
    await race(
      rounds: 6000,
      {
        let pair = Pair(complying: false, tracker)
        pair.probe.drop()
        return pair
      },
      { $0.child.requestCancel() }, { $0.probe.resolver.fulfill(with: tracker.make()) },
      check: { pair in
        if pair.child.result != .value(true) { return "\(pair.child)" }
        return pair.probe.requestCount <= 1 ? nil : "asked \(pair.probe.requestCount) times"
      })
    #expect(tracker.count == 0)
  }

  @Test("3.1 when compliance with a request races with fulfilling, all observers see the same outcome")
  func againstResolvingWithCompliance() async {
    await race(
      rounds: 6000,
      {
        let log = Recorder<Bool>()
        let pair = Pair(complying: true, tracker)
        pair.probe.promise.tap(on: .immediate) { log.record($0.isCancelled) }
        pair.probe.promise.tap(on: .immediate) { log.record($0.isCancelled) }
        pair.probe.drop()
        return (pair: pair, log: log)
      },
      { $0.pair.child.requestCancel() }, { $0.pair.probe.resolver.fulfill(with: tracker.make()) },
      check: { round in
        guard let isCancelled = round.pair.child.result?.isCancelled else { return "unresolved" }
        if round.log.entries != [isCancelled, isCancelled] { return "\(round.log.entries) but \(round.pair.child)" }
        return !isCancelled || round.pair.probe.requestCount == 1 ? nil : "cancelled without having been asked"
      })
    #expect(tracker.count == 0)
  }

  @Test("3.2 a request that races with the last handle's release is passed up once")
  func againstLastHandle() async {
    await race(
      rounds: 9000, { Pair(complying: true, tracker) }, { $0.child.requestCancel() }, { $0.probe.drop() },
      check: { pair in
        pair.probe.requestCount == 1 && pair.child.result == .cancelled
          ? nil : "asked \(pair.probe.requestCount) times, \(pair.child)"
      })
    #expect(tracker.count == 0)
  }

  @Test("3.3 an onCancel observer's request racing with the last handle's release is passed up once")
  func onCancelAgainstLastHandle() async {
    await race(
      rounds: 6000,
      {
        let probe = IntProbe()
        return (probe: probe, observer: probe.promise.onCancel(on: .immediate) {})
      },
      { $0.observer.requestCancel() }, { $0.probe.drop() },
      check: { $0.probe.requestCount == 1 ? nil : "asked \($0.probe.requestCount) times" })
  }

  @Test("3.1 3.12 requests from many threads, made in every way, run the handler once")
  func manyRequests() async {
    await race(
      rounds: 3000,
      {
        let probe = IntProbe()
        let token = PromiseInvalidationToken()
        let child = probe.promise.then(on: .immediate) { _ in }
        let cancellable = probe.promise.cancellable
        probe.promise.requestCancelOnInvalidate(token)
        probe.drop()
        return (probe: probe, child: child, cancellable: cancellable, token: token)
      },
      { $0.child.requestCancel() }, { $0.cancellable.requestCancel() }, { $0.token.invalidate() },
      { $0.child.requestCancel() }, check: { $0.probe.requestCount == 1 ? nil : "asked \($0.probe.requestCount) times" }
    )
  }

  @Test("3.2 requests of children on several threads are passed up once, after the last")
  func manyChildren() async {
    await race(
      rounds: 3000,
      {
        let probe = IntProbe()
        let children = (0..<4).map { _ in probe.promise.makeChild() }
        probe.drop()
        return (probe: probe, children: children)
      },
      { $0.children[0].requestCancel() }, { $0.children[1].requestCancel() }, { $0.children[2].requestCancel() },
      check: { round in
        if round.probe.requestCount != 0 { return "asked although a child has not" }
        round.children[3].requestCancel()
        return round.probe.requestCount == 1 ? nil : "asked \(round.probe.requestCount) times"
      })
  }

  @Test("1.10 handlers that two threads register while a request is made run once each")
  func registeringHandlers() async {
    typealias Round = (probe: IntProbe, log: Recorder<Int>)
    let register = { (numbers: Range<Int>) in
      { @Sendable (round: Round) in
        for number in numbers {
          round.probe.resolver.onRequestCancel(on: .immediate) { _ in round.log.record(number) }
        }
      }
    }
    await race(
      rounds: 6000, { (probe: IntProbe(), log: Recorder()) },
      { $0.probe.promise.requestCancel() }, register(0..<3), register(3..<6),
      check: { $0.log.entries.sorted() == Array(0..<6) ? nil : "handlers ran: \($0.log.entries)" })
  }

  @Test("1.10 a handler registered during resolution and request runs at most once and is released")
  func registeringAgainstResolving() async {
    await race(
      rounds: 6000, { (probe: IntProbe(), calls: Counter()) },
      { $0.probe.promise.requestCancel() }, { $0.probe.resolver.fulfill(with: 1) },
      { round in
        round.probe.resolver.onRequestCancel(on: .immediate, tracker.callback { _ in _ = round.calls.increment() })
      },
      check: { round in
        if tracker.count != 0 { return "a handler of a resolved promise is kept" }
        return round.calls.count <= 1 ? nil : "the handler ran \(round.calls.count) times"
      })
    #expect(tracker.count == 0)
  }

  @Test("3.4 requests of all children during the handle's release cause one callback and one request")
  func propagatingAgainstDrop() async {
    await race(
      rounds: 3000,
      {
        let probe = IntProbe()
        let calls = Counter()
        let promise = probe.take().propagatingCancellation(on: .immediate) { _ in calls.increment() }
        let children = [promise.makeChild(), promise.makeChild()]
        let shared = Holder(promise)
        return (probe: probe, shared: shared, children: children, calls: calls)
      },
      { $0.children[0].requestCancel() }, { $0.children[1].requestCancel() }, { $0.shared.value = nil },
      check: { round in
        round.calls.count == 1 && round.probe.requestCount == 1
          ? nil : "called \(round.calls.count) times, asked \(round.probe.requestCount) times"
      })
  }
}
