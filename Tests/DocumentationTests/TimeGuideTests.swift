import Overmorrow
import OvermorrowTesting
import Testing

/// The samples of the guide `Time.md`. `CoreTests` covers its other statements.
@Suite(.inTurn) struct TimeGuideTests {
  @Test("1.5 a request cancels a promise with a delay at once")
  func after() {
    let rung = Counter()
    @Sendable func ring() { rung.increment() }

    let alarm = Promise<String, Never>(fulfilled: "tea", after: .seconds(240))
    alarm.then { _ in ring() }
    alarm.requestCancel()  // cancelled at once, and no timer stays behind

    #expect(alarm.result == .cancelled)
    #expect(rung.count == 0)
  }

  @Test("6.1 a delayed result arrives after the delay, despite a request during the delay")
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

  @Test("6.2 a result or an error that arrives in time is passed on")
  func timeoutInTime() async {
    for answer: PromiseResult<String, Fault> in [.value("page"), .error(Fault())] {
      let shown = Recorder<String>()
      let show = shown.record
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

      #expect(await shown.entries() == [answer.value ?? "The server says: Fault()"])
    }
  }
}
