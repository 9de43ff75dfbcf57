import Dispatch
import Overmorrow
import OvermorrowTesting
import Testing

/// The owner of the chains in these tests.
private final class Owner: Sendable {
  let log = Recorder<String>()
  private let object: Tracker.Tracked?

  init(_ object: Tracker.Tracked? = nil) { self.object = object }
}

@Suite(.inTurn) struct BoundPromiseTests {
  private let tracker = Tracker()

  private typealias AnyProbe = CancelProbe<Int, any Error>

  @Test("9.1 a bound chain passes its owner to each callback without retaining it in between")
  func handsOwnerOver() {
    let probe = AnyProbe()
    var owner: Owner? = Owner(tracker.make())
    let log = owner?.log
    var chain: BoundPromise<Owner, String, any Error>?
    if let owner {
      chain = probe.promise.bound(to: owner)
        .then(on: .immediate) { owner, value in owner.log.record("then \(value)") }
        .map(on: .immediate) { owner, value in "\(owner.log.entries.count) \(value)" }
        .always(on: .immediate) { owner, result in owner.log.record("always \(result)") }
    }
    #expect(owner != nil && chain?.owner === owner)
    probe.resolver.fulfill(with: 7)
    #expect(log?.entries == ["then 7", "always value(\"1 7\")"])
    #expect(tracker.count == 1)
    owner = nil
    #expect(tracker.count == 0)
    #expect(chain?.inner.result?.value == "1 7")
  }

  @Test("9.1 after its owner's release, a chain runs nothing and ends with ownerDeallocated or cancelled")
  func ownerGone() {
    let (first, own, other, ran) = (AnyProbe(), CancelProbe<Int, PromiseError>(), IntProbe(), Counter())
    let chain = first.promise.bound(to: Owner()).then(on: .immediate) { _, _ in ran.increment() }
      .map(on: .immediate) { _, value in ran.increment() + value }
      .catch(on: .immediate) { _, _ in ran.increment() }
      .always(on: .immediate) { _, _ in ran.increment() }
    let failed = own.promise.bound(to: Owner()).then(on: .immediate) { _, _ in ran.increment() }
    let cancelled = other.promise.bound(to: Owner()).map(on: .immediate) { _, _ in ran.increment() }
    #expect(chain.owner == nil)
    first.resolver.fulfill(with: 7)
    own.resolver.fulfill(with: 7)
    other.resolver.fulfill(with: 7)
    #expect(chain.inner.result?.error as? PromiseError == .ownerDeallocated)
    #expect(failed.inner.result == .error(.ownerDeallocated))
    #expect(cancelled.inner.result == .cancelled)
    #expect(ran.count == 0)
  }

  @Test(
    "9.1 9.4 without its owner, a step passes on results that its callback does not take",
    arguments: Ending.allCases)
  func forwards(ending: Ending) {
    let result = ending.result(7, ProbeError.failed)
    let promise = Promise<Int, ProbeError>(with: result).bound(to: Owner())
    if ending != .value { #expect(promise.then(on: .immediate) { _, _ in }.inner.result == result) }
    if ending != .error { #expect(promise.catch(on: .immediate) { _, _ in }.inner.result == result) }
    #expect(promise.onCancel(on: .immediate) { _ in }.inner.result == result)
    #expect(promise.tap(on: .immediate) { _, _ in }.inner.result == result)
  }

  @Test("9.1 a released owner replaces an error by ownerDeallocated, and leaves a cancelled promise cancelled")
  func replacesError() {
    let failed = Promise<Int, any Error>(rejected: ProbeError.failed).bound(to: Owner())
    let recovered = failed.flatMapError(on: .immediate) { _, _ in
      Promise<Int, any Error>(fulfilled: 1)
    }
    #expect(recovered.inner.result?.error as? PromiseError == .ownerDeallocated)
    let cancelled = Promise<Int, any Error>(with: .cancelled).bound(to: Owner())
    #expect(cancelled.always(on: .immediate) { _, _ in }.inner.result?.isCancelled == true)
    #expect(cancelled.mapResult(on: .immediate) { _, result in result }.inner.result?.isCancelled == true)
  }

  @Test("9.1 9.3 steps without a context share the default context of the chain")
  func sharesContext() {
    let context = ManualContext()
    let owner = Owner()
    Promise<Int, any Error>(fulfilled: 1).bound(to: owner, defaultContext: context.context)
      .then { owner, value in owner.log.record("then \(value)") }
      .map { owner, value in value + 1 }
      .flatMap { owner, value in Promise<Int, any Error>(fulfilled: value + 1) }
      .then { owner, value in owner.log.record("then \(value)") }
    #expect(owner.log.entries.isEmpty)
    context.runAll()
    #expect(owner.log.entries == ["then 1", "then 3"])
  }

  @Test("9.1 a throwing step passes its error, with the owner, to the next error callback")
  func throwing() {
    let owner = Owner()
    let chain = Promise<Int, ProbeError>(fulfilled: 1).bound(to: owner)
      .then(on: .immediate) { _, _ throws(ProbeError) in throw .other }
      .catch(on: .immediate) { owner, error in owner.log.record("\(error)") }
      .recover(on: .immediate) { owner, _ in owner.log.entries.count }
    #expect(chain.inner.result == .value(1))
    #expect(owner.log.entries == ["other"])
  }

  @Test("9.1 9.5 an owner released during its callback is freed afterwards, on the callback's queue")
  func goesDuringCallback() async throws {
    let wentOnQueue = Holder<Bool>()
    let queue = MarkedQueue()
    let holder = Holder<Owner>(Owner(tracker.make { wentOnQueue.value = queue.isCurrent }))
    let bound = try #require(holder.value.map { Promise<Int, any Error>(fulfilled: 1).bound(to: $0) })
    let chain = bound.map(on: .queue(queue.queue)) { owner, _ in
      holder.value = nil
      owner.log.record("alive")
      return tracker.count
    }
    #expect(await chain.inner.outcome()?.value == 1)
    // The step's promise resolves after its callback has returned and has released the owner.
    #expect(tracker.count == 0)
    #expect(wentOnQueue.value == true)
  }

  @Test("9.1 when the owner's release races with resolution, the callback runs or the chain ends")
  func racing() async {
    await race(
      rounds: 10_000, within: .seconds(2),
      {
        let tracker = Tracker()
        let probe = AnyProbe()
        let ran = Counter()
        let owner = Owner(tracker.make())
        let chain =
          probe.promise.bound(to: owner).map(on: .immediate) { owner, value in
            ran.increment()
            return value + owner.log.entries.count
          }.inner
        return (tracker: tracker, owner: Holder(owner), probe: probe, ran: ran, chain: chain)
      },
      { $0.owner.value = nil },
      { $0.probe.resolver.fulfill(with: 7) },
      check: { round in
        switch (round.chain.result, round.ran.count, round.tracker.count) {
        case (.value(7), 1, 0): nil
        case (.error(PromiseError.ownerDeallocated), 0, 0): nil
        case (let result, let ran, let alive): "\(String(describing: result)), ran \(ran) times, \(alive) owners left"
        }
      })
  }

  @Test("9.1 a bound chain that is released unresolved frees its callbacks")
  func leaksNothing() {
    let owner = Owner()
    do {
      let probe = AnyProbe()
      let kept = tracker.make()
      let chain = probe.take().bound(to: owner).then(on: .immediate) { _, _ in _ = kept }
        .map(on: .immediate) { _, value in (value, kept) }
      withExtendedLifetime(chain) { #expect(tracker.count == 1) }
    }
    #expect(tracker.count == 0)
  }

  @Test("3.5 3.11 9.1 the start of a bound chain receives requests of its end and its tokens")
  func cancelling() {
    final class Screen: Sendable { let token = PromiseInvalidationToken() }
    let (asked, byToken, byOwner) = (IntProbe(), IntProbe(), IntProbe())
    let owner = Owner()
    let chain = asked.take().bound(to: owner).map(on: .immediate) { _, value in value }
    chain.requestCancel()
    #expect(asked.requestCount == 1)
    let token = PromiseInvalidationToken()
    let other = byToken.take().bound(to: owner).then(on: .immediate) { _, _ in }.requestCancelOnInvalidate(token)
    token.invalidate()
    #expect(byToken.requestCount == 1)
    do {
      let screen = Screen()
      byOwner.take().bound(to: screen).then(on: .immediate) { _, _ in }.requestCancelOnInvalidate(screen.token)
      #expect(byOwner.requestCount == 0)
      withExtendedLifetime(screen) {}
    }
    #expect(byOwner.requestCount == 1)
    withExtendedLifetime((chain, other)) {}
  }

  @Test("9.1 nowIfResolved runs callbacks of a bound chain inside the calls that register them")
  @MainActor func nowIfResolved() {
    let owner = Owner()
    Promise<Int, any Error>(fulfilled: 1).bound(to: owner)
      .then(nowIfResolved: true) { owner, value in owner.log.record("\(value) \(PromiseContext.isExecutingNow)") }
      .always(nowIfResolved: true) { owner, _ in owner.log.record("always \(PromiseContext.isExecutingNow)") }
    #expect(owner.log.entries == ["1 true", "always true"])
  }
}
