import Overmorrow
import OvermorrowTesting
import Testing

/// The samples of the guide `Time.md`, and what it says of them.
@Suite(.inTurn) struct TimeGuideTests {
  // MARK: After a while

  @Test("1.5 a promise that resolves after a while is cancelled at once when that is asked for")
  func after() {
    let rung = Counter()
    @Sendable func ring() { rung.increment() }

    let alarm = Promise<String, Never>(fulfilled: "tea", after: .seconds(240))
    alarm.then { _ in ring() }
    alarm.requestCancel()  // cancelled at once, and no timer stays behind

    #expect(alarm.result == .cancelled)
    #expect(rung.count == 0)
  }

  // MARK: Later

  @Test("6.1 a delayed result comes after the delay; a request made while it waits changes nothing")
  func delay() async {
    let clock = TestClock()
    func fetchTip() -> Promise<String, Never> { Promise(fulfilled: "use the keyboard") }

    let tip = fetchTip().delay(.seconds(3), clock: clock)

    await clock.waitForSleepers(1)
    tip.requestCancel()
    await clock.advance(by: .seconds(2))
    #expect(tip.result == nil)
    await clock.advance(by: .seconds(1))
    #expect(await tip.outcome() == .value("use the keyboard"))
  }

  @Test("6.1 a delay whose promise cancels on request does not wait")
  func delayIsCancelled() {
    func fetchTip() -> Promise<String, Never> {
      let (tip, resolver) = Promise<String, Never>.makeWithResolver()
      resolver.onRequestCancel(on: .immediate) { $0.cancel() }
      tip.tap(on: .immediate) { _ in withExtendedLifetime(resolver) {} }
      return tip
    }
    let tip = fetchTip().delay(on: .immediate, .seconds(3600))
    #expect(tip.result == nil)
    tip.requestCancel()
    #expect(tip.result == .cancelled)
  }

  // MARK: In time

  @Test("6.2 a result or an error that comes in time is passed on")
  func timeoutInTime() async {
    for answer: PromiseResult<String, Fault> in [.value("page"), .error(Fault())] {
      let shown = Recorder<String>()
      let done = Latch()
      @Sendable func show(_ text: String) {
        shown.record(text)
        done.signal()
      }
      func fetchPage() -> Promise<String, Fault> { Promise(on: .utility, with: answer, after: .zero) }

      fetchPage()
        .timeout(.seconds(3600))
        .then { show($0) }
        .catch { error in
          switch error {
          case .timedOut: show("The server does not answer.")
          case .rejected(let fault): show("The server says: \(fault)")
          }
        }

      await done.wait(for: "something to be shown")
      #expect(shown.entries == [answer.value ?? "The server says: Fault()"])
    }
  }

  @Test("6.2 a timeout rejects, and asks the promise to cancel")
  func timeoutTooLate() async {
    let clock = TestClock()
    let asked = Latch()
    func fetchPage() -> Promise<String, any Error> {
      let (page, resolver) = Promise<String, any Error>.makeWithResolver()
      resolver.onRequestCancel(on: .immediate) { resolver in
        asked.signal()
        resolver.cancel()
      }
      page.tap(on: .immediate) { _ in withExtendedLifetime(resolver) {} }
      return page
    }

    let page: Promise<String, any Error> = fetchPage().timeout(.seconds(10), clock: clock)

    await clock.waitForSleepers(1)
    await clock.advance(by: .seconds(10))
    let result = await page.outcome()
    guard case .timedOut? = result?.error as? PromiseTimeoutError<any Error> else {
      Issue.record("expected the timeout, found \(String(describing: result))")
      return
    }
    await asked.wait(for: "the request to cancel")
  }

  @Test("6.2 with any Error as the failure, an error that comes in time stays what it is")
  func timeoutOfAnyError() {
    let failing: Promise<String, any Error> = Promise(rejected: Fault()).timeout(.seconds(10))
    #expect(failing.result?.error is Fault)
  }

  @Test("6.2 a delay of zero times out at once on immediate, if there is no result yet")
  func timeoutAtOnce() {
    let (page, resolver) = Promise<String, Fault>.makeWithResolver()
    let limited: Promise<String, PromiseTimeoutError<Fault>> = page.timeout(on: .immediate, .zero)
    #expect(limited.result == .error(.timedOut))
    let there: Promise<String, PromiseTimeoutError<Fault>> =
      Promise(fulfilled: "page").timeout(on: .immediate, .zero)
    #expect(there.result == .value("page"))
    withExtendedLifetime(resolver) {}
  }
}

// MARK: - Stand-ins

private struct Fault: Error, Equatable {}
