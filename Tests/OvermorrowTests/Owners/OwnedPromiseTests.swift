import Dispatch
import Overmorrow
import Testing

@Suite(.inTurn) struct OwnedPromiseTests {
  private typealias AnyProbe = CancelProbe<Int, any Error>

  @Test("9.2 the end of the last copy asks the work upstream to cancel, once, and not before")
  func cancels() {
    let probe = IntProbe()
    var chain: OwnedPromise<Int, ProbeError>? = probe.take().owned()
      .then(on: .immediate) { _ in }.map(on: .immediate) { $0 }.always(on: .immediate) { _ in }
    var copy = chain
    #expect(chain == copy)
    chain = nil
    #expect(probe.requestCount == 0)
    #expect(copy != nil)
    copy = nil
    #expect(probe.requestCount == 1)
  }

  @Test("9.2 the end of the last copy suppresses the callbacks of the chain, also when the work goes on")
  func suppresses() {
    let ran = Counter()
    let probe = AnyProbe()
    let end: Promise<Int, any Error>
    do {
      let chain = probe.promise.owned().then(on: .immediate) { _ in ran.increment() }
        .map(on: .immediate) { _ in ran.increment() }.always(on: .immediate) { _ in ran.increment() }
      end = chain.inner
      withExtendedLifetime(chain) {}
    }
    probe.resolver.fulfill(with: 1)
    #expect(ran.count == 0)
    #expect(end.result?.isCancelled == true)
  }

  @Test("9.2 a chain that somebody holds runs, with all its links")
  func runs() {
    let log = Recorder<String>()
    let probe = IntProbe()
    let chain = probe.promise.owned()
      .then(on: .immediate) { log.record("then \($0)") }
      .map(on: .immediate) { _ throws(ProbeError) -> Int in throw .other }
      .catch(on: .immediate) { log.record("catch \($0)") }
      .recover(on: .immediate) { _ in 2 }
      .flatMap(on: .immediate) { Promise(fulfilled: $0 + 1) }
    probe.resolver.fulfill(with: 1)
    #expect(chain.result == .value(3))
    #expect(log.entries == ["then 1", "catch other"])
  }

  @Test("9.2 a chain with two ends: each ends its own callbacks, and the last one cancels")
  func branches() {
    let log = Recorder<String>()
    let probe = IntProbe()
    var start: OwnedPromise<Int, ProbeError>? = probe.take().owned().then(on: .immediate) { _ in log.record("start") }
    var first = start?.then(on: .immediate) { _ in log.record("first") }
    let second = start?.then(on: .immediate) { _ in log.record("second") }
    start = nil
    #expect(first != nil && start == nil)
    first = nil
    #expect(probe.requestCount == 0)
    probe.resolver.fulfill(with: 1)
    #expect(log.entries == ["start", "second"])
    withExtendedLifetime(second) {}
  }

  @Test("9.2 both ends of a chain gone: the start is asked once")
  func bothEndsGone() {
    let probe = IntProbe()
    do {
      let start = probe.take().owned()
      let ends = [start.then(on: .immediate) { _ in }, start.then(on: .immediate) { _ in }]
      withExtendedLifetime(ends) {}
    }
    #expect(probe.requestCount == 1)
  }

  @Test("9.2 9.6 other observers of the promise are left alone when an owned chain ends")
  func leavesOthersAlone() {
    let probe = IntProbe()
    let promise = probe.take()
    let other = promise.map(on: .immediate) { $0 }
    do { withExtendedLifetime(promise.owned().then(on: .immediate) { _ in }) {} }
    #expect(probe.requestCount == 0)
    probe.resolver.fulfill(with: 1)
    #expect(other.result == .value(1))
  }

  @Test("9.2 9.7 the end of a chain after it has resolved changes nothing")
  func endAfterResolving() {
    let probe = IntProbe()
    let end: Promise<Int, ProbeError>
    do {
      let chain = probe.promise.owned().map(on: .immediate) { $0 + 1 }
      probe.resolver.fulfill(with: 1)
      end = chain.inner
    }
    #expect(end.result == .value(2))
    #expect(probe.requestCount == 0)
  }

  @Test("9.2 a chain that a callback returns is owned until it has resolved, and ends with the one that adopts it")
  func adopting() {
    let (outer, inner) = (IntProbe(), IntProbe())
    let ran = Counter()
    var chain: OwnedPromise<Int, ProbeError>? = outer.take().owned().flatMapOwned(on: .immediate) { _ in
      inner.take().owned().then(on: .immediate) { _ in ran.increment() }
    }
    outer.resolver.fulfill(with: 1)
    #expect(inner.requestCount == 0)
    #expect(chain != nil)
    chain = nil
    #expect(inner.requestCount == 1)
    inner.resolver.fulfill(with: 2)
    #expect(ran.count == 0)
  }

  @Test("9.2 the result of a chain that a callback returns is adopted, and nothing of it is kept")
  func adoptingResult() {
    let tracker = Tracker()
    let (outer, inner) = (IntProbe(), IntProbe())
    let chain = outer.promise.owned().flatMapResultOwned(on: .immediate) { _ in
      let kept = tracker.make()
      return inner.promise.owned().map(on: .immediate) { value in
        _ = kept
        return value
      }
    }
    outer.resolver.reject(with: .failed)
    #expect(tracker.count == 1)
    inner.resolver.fulfill(with: 2)
    #expect(chain.result == .value(2))
    #expect(tracker.count == 0)
  }

  @Test("9.2 a callback that is to return a chain may throw, and a chain that is returned too late ends at once")
  func adoptingFails() {
    let thrown = Promise<Int, ProbeError>(fulfilled: 1).owned()
      .flatMapOwned(on: .immediate) { _ throws(ProbeError) -> OwnedPromise<Int, ProbeError> in throw .other }
      .flatMapResultOwned(on: .immediate) { _ throws(ProbeError) -> OwnedPromise<Int, ProbeError> in throw .failed }
    #expect(thrown.result == .error(.failed))
    let (holder, late) = (Holder<OwnedPromise<Int, ProbeError>>(), IntProbe())
    let outer = IntProbe()
    holder.value = outer.promise.owned().flatMapOwned(on: .immediate) { _ in
      holder.value = nil
      return late.take().owned().then(on: .immediate) { _ in }
    }
    outer.resolver.fulfill(with: 1)
    #expect(late.requestCount == 1)
  }

  @Test("9.2 nothing of an owned chain stays when its last copy has gone")
  func leaksNothing() {
    let tracker = Tracker()
    let probe = AnyProbe(complying: true)
    do {
      let kept = tracker.make()
      let chain = probe.take().owned().then(on: .immediate) { _ in _ = kept }.map(on: .immediate) { ($0, kept) }
      withExtendedLifetime(chain) { #expect(tracker.count == 1) }
    }
    #expect(tracker.count == 0)
  }

  @Test("9.2 an owned chain of 20,000 links ends on a small stack")
  func longChain() async {
    let probe = IntProbe(complying: true)
    let requests = await onSmallStack {
      do {
        var chain = probe.take().owned()
        for _ in 0..<20_000 { chain = chain.then(on: .immediate) { _ in } }
      }
      return probe.requestCount
    }
    #expect(requests == 1)
  }

  @Test("9.2 9.7 a callback that has started finishes, though the chain ends meanwhile")
  func endsDuringCallback() {
    let holder = Holder<OwnedPromise<Int, ProbeError>>()
    let log = Recorder<String>()
    let probe = IntProbe()
    holder.value = probe.promise.owned().then(on: .immediate) { [holder] _ in
      holder.value = nil
      log.record("finished")
    }
    probe.resolver.fulfill(with: 1)
    #expect(log.entries == ["finished"])
  }

  @Test("9.2 a chain that ends while it resolves: its callback runs or is suppressed, and nothing stays")
  func racing() async {
    struct Round: Sendable {
      let tracker = Tracker()
      let probe = AnyProbe()
      let ran = Counter()
      let chain = Holder<OwnedPromise<Int, any Error>>()
      let end: Promise<Int, any Error>

      init() {
        let kept = tracker.make()
        let chain = probe.take().owned().map(on: .immediate) { [ran] value in
          _ = kept
          return value + ran.increment()
        }
        end = chain.inner
        self.chain.value = chain
      }
    }
    let findings = await race(
      rounds: 10_000, within: .seconds(2), { Round() }, { $0.chain.value = nil },
      { $0.probe.resolver.fulfill(with: 7) },
      check: { round in
        switch (round.end.result, round.ran.count, round.tracker.count) {
        case (.value(8), 1, 0), (.cancelled, 0, 0): nil
        case (let result, let ran, let alive):
          "\(String(describing: result)), ran \(ran) times, \(alive) callbacks left"
        }
      })
    #expect(findings.isEmpty)
  }
}
