import PromiseQ
@_exported import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  @_exported import FoundationNetworking
#endif

/// Something that another thread waits for, with a bound.
final class Gate {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  func pass(file: StaticString = #filePath, line: UInt = #line) {
    if semaphore.wait(timeout: .now() + patience) == .timedOut { XCTFail("nobody came", file: file, line: line) }
  }
}

/// How long a test waits before it gives up, in seconds.
let patience: TimeInterval = 60

class PromiseTestCase: XCTestCase {
  let log = Recorder<String>()

  /// Runs a body, and then the main queue until what is expected has happened.
  func wait(_ count: Int = 1, _ body: (XCTestExpectation) -> Void) {
    let expectation = expectation(description: name)
    expectation.expectedFulfillmentCount = count
    body(expectation)
    wait(for: [expectation], timeout: patience)
  }

  /// What a promise ends with, in words.
  func outcome<T>(_ promise: Promise<T>) -> String {
    var outcome = ""
    wait { expectation in
      promise.then(.main) { outcome = "\($0)" }
        .catch(.main) { outcome = "error: \($0.localizedDescription)" }
        .finally(.main) { expectation.fulfill() }
    }
    return outcome
  }

  /// A file with some data, until the test ends.
  func temporaryFile(_ data: Data) throws -> URL {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("promiseq-\(UUID().uuidString)")
    try data.write(to: file)
    addTeardownBlock { try? FileManager.default.removeItem(at: file) }
    return file
  }

  /// Waits until a chain that is not suspended, made later, has ended, and what was on its way to the main queue has run.
  func endOthers() {
    XCTAssertEqual(outcome(Promise { 1 }.then { $0 + 1 }), "2")
    let gate = Gate()
    gate.open()
    settleUntil(gate)
  }

  /// Runs the main queue until a gate was opened on it, and everything behind that was done.
  func settleUntil(_ gate: Gate) {
    wait { expectation in
      DispatchQueue.global().async {
        gate.pass()
        DispatchQueue.main.async { expectation.fulfill() }
      }
    }
  }
}

/// An asynchronous task that is done at once when it is resumed.
final class Work: Asyncable {
  private let done: () -> Void
  private let log: Recorder<String>?

  init(_ log: Recorder<String>? = nil, _ done: @escaping () -> Void = {}) {
    self.log = log
    self.done = done
  }

  /// Opened by each call.
  let told = Gate()

  func suspend() { tell("suspend") }
  func resume() {
    tell("resume")
    done()
  }
  func cancel() { tell("cancel") }

  private func tell(_ what: String) {
    log?.record(what)
    told.open()
  }
}

/// Work that has begun when its gate is open, and goes on until the test ends it.
final class Held {
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

  /// The chains that can stand for the work, with the work as their task.
  static let chains: [(String, (Held) -> Promise<Int>)] = [
    ("first", { $0.promiseWithTask() }),
    (
      "step",
      { held in
        Promise { 1 }.then(.main) { (value: Int, resolve: @escaping (Int) -> Void, reject, task) in
          task = held.work
          held.begin(resolve)
        }
      }
    ),
    ("injected", { held in Promise { 1 }.then { _ in held.promiseWithTask() } }),
    ("returned", { held in Promise { held.promiseWithTask() } }),
  ]

  /// Begins, in a closure of a test.
  func begin(_ resolve: @escaping (Int) -> Void) {
    finish = resolve
    DispatchQueue.main.async { self.begun.open() }
  }
}
