import PromiseQ
import XCTest

/// The samples from PromiseQ's documentation, unchanged. Each behaves as documented.
final class SampleTests: PromiseTestCase {
  private struct Label { var text = "" }
  private var label = Label()
  private var file = ""
  private let error: Error = "error"

  override func setUpWithError() throws { file = try temporaryFile(Data("the file".utf8)).path }

  private func print<Item>(_ item: Item) { log.record("\(item)") }
  private func print<First, Second, Third>(_ first: First, _ second: Second, _ third: Third) {
    log.record("\(first) \(second) \(third)")
  }

  private func loadData() throws -> Data {
    log.record("load")
    guard let data = FileManager.default.contents(atPath: file) else { throw "no data" }
    return data
  }

  private func parse(_ data: Data) throws -> String { String(decoding: data, as: UTF8.self) }

  private func handleError(_ error: Error) { log.record("handled \(error.localizedDescription)") }

  // MARK: Promise

  func testPromiseRunsItsClosure() {
    let file = self.file
    let promise = Promise {
      try String(contentsOfFile: file)
    }
    XCTAssertEqual(outcome(promise), "the file")
  }

  func testPromiseRunsOnTheMainQueue() {
    let file = self.file
    let promise = Promise(.main) {
      self.label.text = try String(contentsOfFile: file)  // Runs on the main queue
    }
    XCTAssertEqual(outcome(promise.then(.main) { self.label.text }), "the file")
  }

  func testPromiseResolvesLater() {
    let promise = Promise { resolve, reject in
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.02) {
        resolve("done")
      }
    }
    XCTAssertEqual(outcome(promise), "done")
  }

  // MARK: Steps

  func testThenTransformsTheValue() {
    let file = self.file
    let promise = Promise {
      try String(contentsOfFile: file)
    }
    .then { text in
      return text.count
    }
    .then { count in
      self.print(count)
    }
    XCTAssertEqual(outcome(promise.then { self.log.entries }), #"["8"]"#)
  }

  func testThenAdoptsAReturnedPromise() {
    let promise = Promise {
      return 200
    }
    .then { value in
      Promise {
        value / 10
      }
    }
    .then { value in
      self.print(value)
    }
    XCTAssertEqual(outcome(promise.then { self.log.entries }), #"["20"]"#)
  }

  func testCatchReceivesTheError() {
    let promise = Promise {
      try String(contentsOfFile: "nofile.txt")  // Jumps to catch
    }
    .then { text in
      self.print(text)  // Doesn't run
    }
    .catch { error in
      self.print(error.localizedDescription)
    }
    XCTAssertEqual(outcome(promise.then { self.log.entries.count }), "1")
    XCTAssertNotEqual(log.entries.first, "")
  }

  func testFinallyAlwaysRuns() {
    let promise = Promise {
      try String(contentsOfFile: "nofile.txt")
    }
    .finally {
      self.print("Finish reading")  // Always runs
    }
    .then { text in
      self.print(text)
    }
    .catch { error in
      self.print("caught")
    }
    .finally {
      self.print("The end")  // Always runs
    }
    XCTAssertEqual(outcome(promise.then { self.log.entries }), #"["Finish reading", "caught", "The end"]"#)
  }

  func testResolveAndRejectMakeResolvedPromises() {
    XCTAssertEqual(outcome(Promise.resolve(200)), outcome(Promise { return 200 }))
    let error = self.error
    XCTAssertEqual(outcome(Promise<Void>.reject(error)), outcome(Promise { throw error }))
  }

  // MARK: Combinations

  func testAllDeliversAllValues() {
    let promise = Promise.all(
      Promise {
        return "Hello"
      },
      Promise { resolve, reject in
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.02) {
          resolve("World")
        }
      }
    )
    .then { results in
      self.print(results)
    }
    XCTAssertEqual(outcome(promise.then { self.log.entries[0] }), #"["Hello", "World"]"#)
  }

  func testAllSettledDeliversValuesAndErrors() {
    let error = self.error
    let promise = Promise.all(
      settled: true,
      Promise<Any> { resolve, reject in
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.02) {
          reject(error)
        }
      },
      Promise {
        return 200
      }
    )
    .then { results in
      self.print(results)
    }
    XCTAssertEqual(outcome(promise.then { self.log.entries[0] }), #"["error", 200]"#)
  }

  func testRaceDeliversTheFirstResult() {
    let promise = Promise.race(
      Promise { resolve, reject in
        DispatchQueue.main.asyncAfter(deadline: .now() + 60) {
          reject("Error")
        }
      },
      Promise { resolve, reject in
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.02) {
          resolve(200)
        }
      }
    )
    .then {
      self.print($0)
    }
    XCTAssertEqual(outcome(promise.then { self.log.entries[0] }), "200")
  }

  func testAnyDeliversTheFirstValue() {
    let promise = Promise.any(
      Promise { resolve, reject in
        reject("Error")
      },
      Promise { resolve, reject in
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.02) {
          resolve(200)
        }
      }
    )
    .then {
      self.print($0)
    }
    XCTAssertEqual(outcome(promise.then { self.log.entries[0] }), "200")
  }

  func testAnyRejectsWithAllErrors() {
    let promise = Promise.any(
      Promise<Int> { resolve, reject in
        reject("Error")
      },
      Promise { resolve, reject in
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.02) {
          reject("Fail")
        }
      }
    )
    .catch { error in
      if case PromiseError.aggregate(let errors) = error {
        self.print(errors, "-", error.localizedDescription)
      }
    }
    XCTAssertEqual(outcome(promise.then { self.log.entries[0] }), #"["Error", "Fail"] - All Promises rejected."#)
  }

  // MARK: timeout and retry

  func testTimeoutRejectsTheStep() {
    let gate = Gate()
    let promise = Promise(timeout: 60) {
      try self.loadData()
    }
    .then(timeout: 0.05) { data -> String in
      gate.pass()
      return try self.parse(data)
    }
    .catch(timeout: 60) { error in
      if case PromiseError.timedOut = error {
        self.print(error.localizedDescription)
      } else {
        self.handleError(error)
      }
    }
    XCTAssertEqual(outcome(promise.then { self.log.entries.last }), #"Optional("The Promise timed out.")"#)
    gate.open()
  }

  func testRetryRepeatsTheClosure() {
    file = "nofile.txt"
    let promise = Promise(retry: 3) {  // Makes 3 attempts to load data after the rejection
      try self.loadData()
    }
    .then { data in
      try self.parse(data)
    }
    .catch { error in
      self.print(error.localizedDescription)  // Calls if the `loadData` fails 4 times (1 + 3 retries)
    }
    XCTAssertEqual(outcome(promise.then { self.log.entries }), #"["load", "load", "load", "load", "no data"]"#)
  }

  // MARK: async and await

  private func readFile(_ file: String) -> `async`<String> {
    return async {
      try String(contentsOfFile: file)
    }
  }

  func testAwaitReturnsTheValue() throws {
    let text = try readFile(file).await()
    XCTAssertEqual(text, "the file")
  }

  func testAwaitInAsyncThrowsTheError() {
    let file = self.file
    let promise = async {
      let text = try self.readFile(file).await()
      self.print(text)
      _ = try self.readFile("nofile.txt").await()
    }
    .catch { error in
      self.print("caught")
    }
    XCTAssertEqual(outcome(promise.then { self.log.entries }), #"["the file", "caught"]"#)
  }

  // MARK: suspend and cancel

  func testResumedPromiseRuns() {
    let file = self.file
    let promise = Promise {
      try String(contentsOfFile: file)
    }
    promise.suspend()
    // Later
    promise.resume()
    XCTAssertEqual(outcome(promise), "the file")
  }

  func testCancelRunsTheCatch() {
    let promise = Promise {
      return "Text"  // Never runs
    }
    .then { text in
      self.print(text)  // Never runs
    }
    .catch { error in
      if case PromiseError.cancelled = error {
        self.print(error.localizedDescription)
      }
    }

    promise.cancel()

    wait { expectation in promise.finally { expectation.fulfill() } }
    XCTAssertEqual(log.entries, ["The Promise cancelled."])
  }

  func testCancelInsideAClosureEndsTheChain() {
    let promise = Promise {
      return 404
    }

    let end = promise.then { statusCode in
      guard statusCode == 200 else {
        promise.cancel()  // Breaks the promise chain
        return
      }
      self.print("200")
    }
    .then {
      self.print("never")  // Never runs in case of cancel
    }
    XCTAssertEqual(outcome(end), "error: The Promise cancelled.")
    XCTAssertEqual(log.entries, [])
  }
}
