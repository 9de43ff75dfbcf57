import Dispatch
import Overmorrow
import OvermorrowFlow
import OvermorrowTesting
import Testing
import XCTest

/// A search field that waits for a pause in the typing, tries twice, and has a time limit.
@MainActor
private final class SearchModel {
  var query = "" { didSet { startSearch() } }
  private(set) var results: [String] = []
  private(set) var log: [String] = []
  private var search: PromiseCancellable?
  private let clock: any Clock<Duration>
  private let load = makeServer()

  init(clock: any Clock<Duration>) { self.clock = clock }

  private func startSearch() {
    search = Promise<String, any Error>(fulfilled: query, after: .milliseconds(300), clock: clock)
      .flatMap { [load, clock] query in
        Promise.retry(PromiseRetryPolicy(attempts: 2, backoff: .constant(.seconds(1))), on: .utility, clock: clock) {
          _ in
          load(query)
        }
        .timeout(.seconds(5), clock: clock)
        .mapError { $0 as any Error }
      }
      .bound(to: self)
      .then { model, results in model.results = results }
      .catch { model, error in model.log.append("\(error)") }
      .owned()
  }
}

private struct Outage: Error {}

/// Makes a server that answers queries. For "bad", its first answer is an error; for "slow", it never answers.
private func makeServer() -> @Sendable (String) -> Promise<[String], any Error> {
  { [tries = Counter(), kept = Recorder<Promise<[String], any Error>.Resolver>()] query in
    if query == "slow" { return Promise<[String], any Error> { kept.record($0) } }
    if query == "bad", tries.increment() == 1 { return Promise(rejected: Outage()) }
    return Promise(on: .background) { $0.fulfill(with: [query == "swift" ? "Swift 6" : "\(query)!"]) }
  }
}

@MainActor @Suite(.inTurn, .expectsIssues) struct VirtualTimeTests {
  private let clock = TestClock()
  private let model: SearchModel

  init() { model = SearchModel(clock: clock) }

  // The sample of the guide.
  @MainActor @Test func theSearchWaitsForAPauseInTheTyping() async {
    let clock = TestClock()
    let model = SearchModel(clock: clock)
    model.query = "swi"
    await clock.advance(by: .milliseconds(299))
    model.query = "swift"
    await clock.advance(by: .milliseconds(299))
    #expect(model.results.isEmpty)
    await clock.advance(by: .milliseconds(1))
    #expect(model.results == ["Swift 6"])
  }

  @Test("16.13 all work ends after each deadline, so retries and timeouts follow the clock")
  func deadlines() async {
    model.query = "bad"
    await clock.advance(by: .milliseconds(1299))
    #expect(model.results.isEmpty)
    await clock.advance(by: .milliseconds(1))
    #expect(model.results == ["bad!"])
    #expect(clock.now.offset == .milliseconds(1300))
    model.query = "slow"
    await clock.advance(by: .seconds(10))
    #expect(model.log == ["the promise timed out"])
    #expect(clock.sleeperCount == 0)
  }

  @Test("16.13 without an advance, submitted work ends")
  func zero() async {
    var seen: [Int] = []
    let steps = (1...20).reduce(Promise<Int, Never>(on: .utility) { $0.fulfill(with: 0) }) { promise, number in
      promise.map(on: number % 2 == 0 ? .utility : .background) { $0 + 1 }
    }
    steps.then { seen.append($0) }
    await clock.advance(by: .zero)
    #expect(seen == [20])
  }

  @Test("16.13 tasks that sleep on the clock are woken, each at its own time")
  func tasks() async {
    let log = Recorder<Duration>()
    let task = Task { [clock] in
      for _ in 0..<3 {
        try? await clock.sleep(for: .seconds(1))
        log.record(clock.now.offset)
      }
    }
    await clock.advance(by: .seconds(2))
    #expect(log.entries == [.seconds(1), .seconds(2)])
    await clock.run()
    #expect(log.entries == [.seconds(1), .seconds(2), .seconds(3)])
    await task.value
  }

  @Test("16.13 16.14 a callback that does not end fails the test with a list of promises")
  func stuck() async {
    let gate = DispatchSemaphore(value: 0)
    // In a scope, so that the promise is recorded in all builds.
    _ = PromiseDiagnostics.checking {
      _ = Promise<Int, Never>(fulfilled: 1).then(on: .utility) { _ in gate.wait() }
    }
    await expectIssue {
      await clock.advance(by: .zero, within: .milliseconds(50))
    } matching: {
      $0.description.contains("unfinished callbacks after ") && $0.description.contains(" pending.")
    }
    gate.signal()
  }
}

/// The same in XCTest.
@MainActor final class VirtualTimeXCTests: XCTestCase {
  func testModelFollowsTheTestClock() async {
    let clock = TestClock()
    let model = SearchModel(clock: clock)
    // The sample of the doc comment.
    model.query = "swift"
    await clock.advance(by: .milliseconds(300))
    XCTAssertEqual(model.results, ["Swift 6"])
    model.query = "slow"
    await clock.run()
    XCTAssertEqual(model.log, ["the promise timed out"])
  }
}
