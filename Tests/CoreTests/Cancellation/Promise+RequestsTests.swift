import Dispatch
import Overmorrow
import Testing

@Suite(.inTurn) struct RequestsTests {
  @Test("1.10 3.1 a request runs each cancel handler once, in order and inside the call")
  func handlersRunOnce() {
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let log = Recorder<Int>()
    for number in 1...3 { resolver.onRequestCancel(on: .immediate) { _ in log.record(number) } }
    #expect(!resolver.hasRequestedCancel)
    promise.requestCancel()
    #expect(log.entries == [1, 2, 3])
    promise.requestCancel()
    promise.cancellable.requestCancel()
    #expect(log.entries == [1, 2, 3])
    #expect(resolver.hasRequestedCancel)
    #expect(promise.result == nil)
  }

  @Test("1.10 3.1 a request to a resolved promise has no effect", arguments: Ending.allCases)
  func resolved(ending: Ending) {
    let result: PromiseResult<Int, Flaw> = ending.result(1, "e")
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let calls = Counter()
    resolver.onRequestCancel(on: .immediate) { _ in calls.increment() }
    resolver.resolve(with: result)
    for promise in [promise, Promise(with: result)] {
      promise.requestCancel()
      promise.cancellable.requestCancel()
      #expect(promise.result == result)
    }
    #expect(calls.count == 0)
    #expect(resolver.hasRequestedCancel == result.isCancelled)
  }

  @Test(
    "1.10 3.1 all handlers run, in order, even if the first one cancels the promise",
    arguments: [.immediate, .nowOr(.main), .queue(DispatchQueue(label: "handlers")), .main] as [PromiseContext])
  func handlerThatCancels(context: PromiseContext) async {
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let log = Recorder<Int>()
    let done = Latch()
    for number in 1...4 {
      resolver.onRequestCancel(on: context) { resolver in
        log.record(number)
        resolver.cancel()
        if number == 4 { done.signal() }
      }
    }
    promise.requestCancel()
    await done.wait(for: "the last handler")
    #expect(log.entries == [1, 2, 3, 4])
    #expect(promise.result == .cancelled)
  }

  @Test(
    "1.10 3.1 once a handler has fulfilled or rejected the promise, later handlers do not run",
    arguments: [true, false])
  func handlerThatResolves(isRejection: Bool) {
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let log = Recorder<Int>()
    resolver.onRequestCancel(on: .immediate) { resolver in
      log.record(1)
      if isRejection { resolver.reject(with: "no") } else { resolver.fulfill(with: 1) }
    }
    resolver.onRequestCancel(on: .immediate) { _ in log.record(2) }
    promise.requestCancel()
    #expect(log.entries == [1])
    #expect(promise.result == (isRejection ? .error("no") : .value(1)))
  }

  @Test(
    "1.10 3.1 cancel handlers are released when they have run or the promise is resolved", arguments: [true, false])
  func releasesHandlers(isRequested: Bool) {
    let tracker = Tracker()
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    for _ in 0..<3 { resolver.onRequestCancel(on: .immediate, tracker.callback()) }
    #expect(tracker.count == 3)
    if isRequested { promise.requestCancel() } else { resolver.fulfill(with: 1) }
    #expect((promise.result == nil) == isRequested)
    #expect(tracker.count == 0)
    promise.requestCancel()
    withExtendedLifetime(resolver) {}
  }

  @Test("3.2 makeChild, tap and ignoringCancel return new promises, and fork returns its receiver")
  func identities() {
    let (promise, _) = Promise<Int, Flaw>.makeWithResolver()
    #expect(promise.makeChild() != promise)
    #expect(promise.tap() != promise)
    #expect(promise.ignoringCancel() != promise)
    #expect(promise.fork { _ in } == promise)
  }
}

@Suite(.inTurn) struct CancellableTests {
  private let probe = IntProbe()

  @Test("3.5 a cancellable's request reaches a sealed promise although a child has not asked")
  func asks() {
    let cancellable = probe.promise.cancellable
    let child = probe.makeSibling()
    probe.drop()
    cancellable.requestCancel()
    #expect(probe.requestCount == 1)
    #expect(!child.isResolved)
  }

  @Test("3.5 3.10 4.5 cancellables and tokens are no handles, so the last child's request is passed up")
  func isNoHandle() {
    let (cancellable, token) = (probe.promise.cancellable, PromiseInvalidationToken())
    probe.promise.requestCancelOnInvalidate(token)
    let child = probe.makeSibling()
    probe.drop()
    child.requestCancel()
    #expect(probe.requestCount == 1)
    withExtendedLifetime((cancellable, token)) {}
  }

  @Test("3.5 3.10 a cancellable retains neither the result nor the callbacks")
  func keepsNothing() {
    let tracker = Tracker()
    let (first, second): (PromiseCancellable, PromiseCancellable)
    do {
      let probe = CancelProbe<Tracker.Tracked, Flaw>()
      let object = tracker.make()
      first = probe.promise.cancellable
      second = probe.take().map(on: .immediate) { value in (value, object) }.cancellable
      probe.resolver.fulfill(with: tracker.make())
    }
    #expect(tracker.count == 0)
    first.requestCancel()
    second.requestCancel()
  }
}
