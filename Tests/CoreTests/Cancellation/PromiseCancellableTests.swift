import Dispatch
import Overmorrow
import Testing

@Suite(.inTurn) struct PromiseCancellableTests {
  private let probe = IntProbe()

  private typealias AnyProbe = CancelProbe<Int, any Error>

  @Test("9.2 releasing the last copy of an owning handle asks the upstream work once")
  func cancels() {
    var owner: PromiseCancellable? = probe.take()
      .then(on: .immediate) { _ in }.map(on: .immediate) { $0 }.always(on: .immediate) { _ in }.owned()
    var copy = owner
    #expect(owner == copy)
    owner = nil
    #expect(probe.requestCount == 0)
    #expect(copy != nil)
    copy = nil
    #expect(probe.requestCount == 1)
  }

  @Test("9.2 releasing the last copy suppresses the last callback, even if the work continues")
  func suppresses() {
    let ran = Counter()
    let probe = AnyProbe()
    let end = probe.promise.always(on: .immediate) { _ in ran.increment() }
    do { withExtendedLifetime(end.owned()) {} }
    #expect(end.result?.isCancelled == true)
    probe.resolver.fulfill(with: 1)
    #expect(ran.count == 0)
  }

  @Test("3.10 releasing a cancellable ends nothing, and its copies are equal")
  func endsNothing() {
    let end = probe.take().map(on: .immediate) { $0 }
    var cancellable: PromiseCancellable? = end.cancellable
    let copy = cancellable
    #expect(cancellable == copy)
    #expect(cancellable != end.cancellable)
    #expect(Set([cancellable, copy]).count == 1)
    cancellable = nil
    #expect(probe.requestCount == 0)
    copy?.requestCancel()
    #expect(probe.requestCount == 1)
    #expect(end.result == nil)
  }

  @Test("9.2 9.6 of two owned branches, releasing one handle ends only that branch")
  func branches() {
    let log = Recorder<String>()
    let start = probe.take().then(on: .immediate) { _ in log.record("start") }
    var first: PromiseCancellable? = start.then(on: .immediate) { _ in log.record("first") }.owned()
    let second = start.then(on: .immediate) { _ in log.record("second") }.owned()
    #expect(first != nil)
    first = nil
    #expect(probe.requestCount == 0)
    probe.resolver.fulfill(with: 1)
    #expect(log.entries == ["start", "second"])
    withExtendedLifetime(second) {}
  }

  @Test("9.2 9.7 releasing a handle after its promise is resolved has no effect")
  func endAfterResolving() {
    let end = probe.promise.map(on: .immediate) { $0 + 1 }
    do {
      let owner = end.owned()
      probe.resolver.fulfill(with: 1)
      withExtendedLifetime(owner) {}
    }
    #expect(end.result == .value(2))
    #expect(probe.requestCount == 0)
  }

  @Test("9.2 releasing the handle only asks a resolver's promise or an adopter to cancel")
  func asks() {
    let (outer, inner) = (IntProbe(), IntProbe())
    do { withExtendedLifetime(outer.promise.owned()) {} }
    #expect(outer.requestCount == 1)
    #expect(outer.promise.result == nil)
    let adopting = Promise<Int, ProbeError>(fulfilled: 1).flatMap(on: .immediate) { _ in inner.take() }
    do { withExtendedLifetime(adopting.owned()) {} }
    #expect(inner.requestCount == 1)
    #expect(adopting.result == nil)
    inner.resolver.fulfill(with: 2)
    #expect(adopting.result == .value(2))
  }

  @Test("9.2 requestCancel() ends the chain while the handle exists")
  func requestCancel() {
    let end = probe.take().map(on: .immediate) { $0 }
    let owner = end.owned()
    owner.requestCancel()
    #expect(end.result == .cancelled)
    #expect(probe.requestCount == 1)
  }

  @Test("9.2 chains with a token and an owner can be owned")
  func decorated() {
    let (token, object) = (PromiseInvalidationToken(), Tracker())
    let (first, second) = (IntProbe(), IntProbe())
    do {
      withExtendedLifetime(first.take().bound(to: object, token: token).then(on: .immediate) { _, _ in }.owned()) {}
    }
    do { withExtendedLifetime(second.take().bound(to: object).then(on: .immediate) { _, _ in }.owned()) {} }
    #expect((first.requestCount, second.requestCount) == (1, 1))
  }

  @Test("9.2 an owned chain leaves nothing behind when its handle is released")
  func leaksNothing() {
    let tracker = Tracker()
    let probe = AnyProbe(complying: true)
    do {
      let kept = tracker.make()
      let owner = probe.take().then(on: .immediate) { _ in _ = kept }.map(on: .immediate) { ($0, kept) }.owned()
      withExtendedLifetime(owner) { #expect(tracker.count == 1) }
    }
    #expect(tracker.count == 0)
  }

  @Test("9.2 an owned chain of 20,000 links ends on a small stack")
  func longChain() async throws {
    let probe = IntProbe(complying: true)
    let requests = try await onSmallStack {
      do {
        var chain = probe.take()
        for _ in 0..<20_000 { chain = chain.then(on: .immediate) { _ in } }
        let owner = chain.owned()
        chain = Promise(with: .cancelled)
        withExtendedLifetime(owner) {}
      }
      return probe.requestCount
    }
    #expect(requests == 1)
  }

  @Test("9.2 9.7 a callback that has started finishes, even if the chain ends meanwhile")
  func endsDuringCallback() {
    let holder = Holder<PromiseCancellable>()
    let log = Recorder<String>()
    holder.value = probe.promise.then(on: .immediate) { [holder] _ in
      holder.value = nil
      log.record("finished")
    }.owned()
    probe.resolver.fulfill(with: 1)
    #expect(log.entries == ["finished"])
  }

  @Test("9.2 a chain that ends while resolving runs its callback or suppresses it, without leaks")
  func racing() async {
    await race(
      rounds: 10_000, within: .seconds(2),
      {
        let tracker = Tracker()
        let probe = AnyProbe()
        let ran = Counter()
        let owner = Holder<PromiseCancellable>()
        let kept = tracker.make()
        let end = probe.take().map(on: .immediate) { value in
          _ = kept
          return value + ran.increment()
        }
        owner.value = end.owned()
        return (tracker: tracker, probe: probe, ran: ran, owner: owner, end: end)
      },
      { $0.owner.value = nil },
      { $0.probe.resolver.fulfill(with: 7) },
      check: { round in
        switch (round.end.result, round.ran.count, round.tracker.count) {
        case (.value(8), 1, 0), (.cancelled, 0, 0): nil
        case (let result, let ran, let alive):
          "\(String(describing: result)), ran \(ran) times, \(alive) callbacks left"
        }
      })
  }
}
