import PromiseQ
@_exported import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  @_exported import FoundationNetworking
#endif

/// An event that a thread waits for with a time limit.
final class Gate {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  func pass(file: StaticString = #filePath, line: UInt = #line) {
    if semaphore.wait(timeout: .now() + waitLimit) == .timedOut {
      XCTFail("the gate was not opened in time", file: file, line: line)
    }
  }
}

/// The time after which a wait fails, in seconds.
let waitLimit: TimeInterval = 60

class PromiseTestCase: XCTestCase {
  let log = Recorder<String>()

  /// Runs a body, and then the main queue until the expectation is fulfilled.
  func wait(_ count: Int = 1, _ body: (XCTestExpectation) -> Void) {
    let expectation = expectation(description: name)
    expectation.expectedFulfillmentCount = count
    body(expectation)
    wait(for: [expectation], timeout: waitLimit)
  }

  /// Returns a description of a promise's result.
  func outcome<T>(_ promise: Promise<T>) -> String {
    var outcome = ""
    wait { expectation in
      promise.then(.main) { outcome = "\($0)" }
        .catch(.main) { outcome = "error: \($0.localizedDescription)" }
        .finally(.main) { expectation.fulfill() }
    }
    return outcome
  }

  /// Creates a file with data that is removed when the test ends.
  func temporaryFile(_ data: Data) throws -> URL {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("promiseq-\(UUID().uuidString)")
    try data.write(to: file)
    addTeardownBlock { try? FileManager.default.removeItem(at: file) }
    return file
  }

  /// Waits until a new chain that is not suspended has ended, and until the main queue has run all pending blocks.
  func finishOtherWork() {
    XCTAssertEqual(outcome(Promise { 1 }.then { $0 + 1 }), "2")
    let gate = Gate()
    gate.open()
    runMainQueue(until: gate)
  }

  /// Runs the main queue until a gate opens and all blocks submitted before then have run.
  func runMainQueue(until gate: Gate) {
    wait { expectation in
      DispatchQueue.global().async {
        gate.pass()
        DispatchQueue.main.async { expectation.fulfill() }
      }
    }
  }
}

/// An asynchronous task that completes as soon as it is resumed.
final class Work: Asyncable {
  private let done: () -> Void
  private let log: Recorder<String>?

  init(_ log: Recorder<String>? = nil, _ done: @escaping () -> Void = {}) {
    self.log = log
    self.done = done
  }

  /// Opened by each call.
  let called = Gate()

  func suspend() { recordCall("suspend") }
  func resume() {
    recordCall("resume")
    done()
  }
  func cancel() { recordCall("cancel") }

  private func recordCall(_ what: String) {
    log?.record(what)
    called.open()
  }
}

/// Work that signals its start through a gate, and runs until the test finishes it.
final class ControlledWork {
  let begun = Gate()
  let work: Work
  private(set) var finish: (Int) -> Void = { _ in }

  init(_ log: Recorder<String>? = nil) { work = Work(log) }

  func promise() -> Promise<Int> {
    Promise { resolve, reject in self.begin(resolve) }
  }

  func promiseWithTask() -> Promise<Int> {
    Promise(.main) { resolve, reject, task in
      task = self.work
      self.begin(resolve)
    }
  }

  /// The kinds of chains that can have the work as their task.
  static let chains: [(String, (ControlledWork) -> Promise<Int>)] = [
    ("first", { $0.promiseWithTask() }),
    (
      "step",
      { controlled in
        Promise { 1 }.then(.main) { (value: Int, resolve: @escaping (Int) -> Void, reject, task) in
          task = controlled.work
          controlled.begin(resolve)
        }
      }
    ),
    ("injected", { controlled in Promise { 1 }.then { _ in controlled.promiseWithTask() } }),
    ("returned", { controlled in Promise { controlled.promiseWithTask() } }),
  ]

  /// Starts the work; called in a closure of a test.
  func begin(_ resolve: @escaping (Int) -> Void) {
    finish = resolve
    DispatchQueue.main.async { self.begun.open() }
  }
}
