import Dispatch
import Overmorrow
import Testing

@Suite(.inTurn) @MainActor struct MainQueueTurnTests {
  private typealias IntPromise = Promise<Int, Never>

  private struct Trace: Sendable {
    let log = Recorder<String>()
    let done = Latch()

    /// The main queue has something else to do from now on.
    func begin() {
      log.record("begin")
      DispatchQueue.main.async { [log] in log.record("another turn") }
    }

    func end(_ name: String) {
      log.record(name)
      done.signal()
    }
  }

  @Test("2.10 with `.queue(.main)` each callback takes a turn of the main queue of its own")
  func turns() async {
    let trace = Trace()
    IntPromise(fulfilled: 7)
      .then(on: .queue(.main)) { _ in trace.begin() }
      .then(on: .queue(.main)) { _ in trace.end("end") }
    await trace.done.wait(for: "the second callback")
    #expect(trace.log.entries == ["begin", "another turn", "end"])
  }

  @Test("2.10 only `.main` joins a pass: not behind `.queue(.main)`, and not `.queue(.main)` behind it")
  func mixed() async {
    for (first, second) in [(PromiseContext.main, PromiseContext.queue(.main)), (.queue(.main), .main)] {
      let trace = Trace()
      IntPromise(fulfilled: 7).then(on: first) { _ in trace.begin() }.then(on: second) { _ in trace.end("end") }
      await trace.done.wait(for: "the second callback")
      #expect(trace.log.entries == ["begin", "another turn", "end"])
    }
  }

  @Test("2.5 2.10 observers on `.queue(.main)` run there, in the order registered")
  func observers() async {
    let trace = Trace()
    let (promise, resolver) = IntPromise.makeWithResolver()
    for name in ["a", "b", "c"] {
      promise.then(on: .queue(.main)) { _ in trace.log.record(PromiseContext.auto == .main ? name : "elsewhere") }
    }
    promise.then(on: .queue(.main)) { _ in trace.end("end") }
    DispatchQueue.global().async { resolver.fulfill(with: 7) }
    await trace.done.wait(for: "the last observer")
    #expect(trace.log.entries == ["a", "b", "c", "end"])
  }
}
