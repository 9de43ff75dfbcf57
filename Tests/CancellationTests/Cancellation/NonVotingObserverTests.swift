import Overmorrow
import Testing

/// `tap`, `onCancel` and `ignoringCancel`, which take part in cancellation in ways of their own.
@Suite(.inTurn) struct TapTests {
  private let probe = CancelProbe<Int, Flaw>()

  @Test("3.3 tap() does not pass a request on, even as the only child")
  func tapDoesNotPropagate() {
    let tap = probe.promise.tap()
    probe.drop()
    tap.requestCancel()
    #expect(probe.requestCount == 0)
  }

  @Test("3.3 tap() does not keep the other children's request from going up, asked or not")
  func tapDoesNotBlock() {
    let taps = [probe.promise.tap(), probe.promise.tap()]
    let child = probe.promise.makeChild()
    probe.drop()
    taps[0].requestCancel()
    #expect(probe.requestCount == 0)
    child.requestCancel()
    #expect(probe.requestCount == 1)
    withExtendedLifetime(taps) {}
  }

  @Test("3.3 tap(on:) does not keep the other children's request from going up")
  func tapWithCallbackDoesNotBlock() {
    probe.promise.tap(on: .immediate) { _ in }
    let child = probe.promise.makeChild()
    probe.promise.tap(on: .immediate) { _ in }
    probe.drop()
    child.requestCancel()
    #expect(probe.requestCount == 1)
  }

  @Test("3.3 tap(on:) is no child that could have asked: dropping the handle is no request")
  func tapWithCallbackIsNoChild() {
    probe.promise.tap(on: .immediate) { _ in }
    probe.drop()
    #expect(probe.requestCount == 0)
  }

  @Test("3.3 a request to a child of tap() ends at the tap")
  func requestEndsAtTheTap() {
    let child = probe.promise.tap().makeChild()
    probe.drop()
    child.requestCancel()
    #expect(probe.requestCount == 0)
    probe.resolver.fulfill(with: 3)
    #expect(child.result == .value(3))
  }

  @Test("3.3 a tap is cancelled when its parent is")
  func followsItsParent() {
    let log = Recorder<PromiseResult<Int, Flaw>>()
    let tap = probe.promise.tap(on: .immediate) { log.record($0) }.tap()
    probe.resolver.cancel()
    #expect(tap.result == .cancelled)
    #expect(log.entries == [.cancelled])
  }
}

@Suite(.inTurn) struct OnCancelPropagationTests {
  private let probe = CancelProbe<Int, Flaw>()

  private func observe() -> Promise<Int, Flaw> { probe.promise.onCancel(on: .immediate) {} }

  @Test("3.3 onCancel as the only child passes a request on")
  func onlyChild() {
    let observer = observe()
    probe.drop()
    #expect(probe.requestCount == 0)
    observer.requestCancel()
    #expect(probe.requestCount == 1)
  }

  @Test("3.3 onCancel as the only child of a held promise passes a request on when the handle goes")
  func onlyChildOfHeld() {
    let observer = observe()
    observer.requestCancel()
    #expect(probe.requestCount == 0)
    probe.drop()
    #expect(probe.requestCount == 1)
  }

  @Test("3.3 11.9 an onCancel that has not asked does not keep the others' request from going up")
  func doesNotBlock() {
    let observers = [observe(), observe()]
    let child = probe.promise.makeChild()
    probe.drop()
    child.requestCancel()
    #expect(probe.requestCount == 1)
    withExtendedLifetime(observers) {}
  }

  @Test("3.3 onCancel that has asked waits for a child that has not")
  func waitsForOthers() {
    let child = probe.promise.makeChild()
    let observer = observe()
    probe.drop()
    observer.requestCancel()
    #expect(probe.requestCount == 0)
    child.requestCancel()
    #expect(probe.requestCount == 1)
  }

  @Test("3.3 onCancel that asks after the others did changes nothing")
  func asksLast() {
    let child = probe.promise.makeChild()
    let observer = observe()
    child.requestCancel()
    observer.requestCancel()
    #expect(probe.requestCount == 0)
    probe.drop()
    #expect(probe.requestCount == 1)
    observer.requestCancel()
    #expect(probe.requestCount == 1)
  }

  @Test("3.3 of several onCancel and nobody else, the first that asks is enough")
  func severalOfThem() {
    let observers = [observe(), observe(), observe()]
    probe.drop()
    observers[1].requestCancel()
    #expect(probe.requestCount == 1)
  }

  @Test("3.3 onCancel beside a tap is still the only one that counts")
  func besideATap() {
    let tap = probe.promise.tap()
    let observer = observe()
    probe.drop()
    tap.requestCancel()
    #expect(probe.requestCount == 0)
    observer.requestCancel()
    #expect(probe.requestCount == 1)
  }

  @Test("3.3 onCancel beside ignoringCancel does not get a request through")
  func besideIgnoringCancel() {
    let ignoring = probe.promise.ignoringCancel()
    let observer = observe()
    probe.drop()
    observer.requestCancel()
    ignoring.requestCancel()
    #expect(probe.requestCount == 0)
  }

  @Test("3.3 a request passes through onCancel in the middle of a chain")
  func inTheMiddle() {
    let end = observe().map(on: .immediate) { $0 + 1 }
    probe.drop()
    end.requestCancel()
    #expect(probe.requestCount == 1)
  }

  @Test("3.3 the observer of a promise that was asked and cancels is called, once")
  func isCalled() {
    let complying = CancelProbe<Int, Flaw>(complying: true)
    let calls = Counter()
    complying.promise.onCancel(on: .immediate) { calls.increment() }
    let child = complying.promise.makeChild()
    complying.drop()
    child.requestCancel()
    #expect(calls.count == 1)
    #expect(child.result == .cancelled)
  }
}

@Suite(.inTurn) struct IgnoringCancelTests {
  private let probe = CancelProbe<Int, Flaw>()

  @Test("3.3 ignoringCancel() does not pass a request on")
  func doesNotPropagate() {
    let ignoring = probe.promise.ignoringCancel()
    probe.drop()
    ignoring.requestCancel()
    ignoring.makeChild().requestCancel()
    #expect(probe.requestCount == 0)
  }

  @Test("3.3 ignoringCancel() keeps the other children's request from going up, for good")
  func blocksForGood() {
    let child = probe.promise.makeChild()
    do { _ = probe.promise.ignoringCancel() }
    child.requestCancel()
    probe.drop()
    #expect(probe.requestCount == 0)
  }

  @Test("3.3 ignoringCancel() leaves direct requests to the promise alone")
  func directRequest() {
    let ignoring = probe.promise.ignoringCancel()
    probe.promise.requestCancel()
    #expect(probe.requestCount == 1)
    #expect(ignoring.result == nil)
  }

  @Test("3.3 ignoringCancel() is cancelled when its parent is")
  func followsItsParent() {
    let ignoring = probe.promise.ignoringCancel()
    ignoring.requestCancel()
    #expect(ignoring.result == nil)
    probe.resolver.cancel()
    #expect(ignoring.result == .cancelled)
  }

  @Test("3.3 ignoringCancel() has the value although it was asked to cancel")
  func keepsTheValue() {
    let ignoring = probe.take().ignoringCancel()
    ignoring.requestCancel()
    probe.resolver.fulfill(with: 8)
    #expect(ignoring.result == .value(8))
  }
}
