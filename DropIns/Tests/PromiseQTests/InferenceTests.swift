import PromiseQ
import XCTest

/// Type inference for closures without annotations. Its main assertion is that this file compiles.
final class InferenceTests: PromiseTestCase {
  private func twice(_ number: Int) throws -> Int { number * 2 }
  private func promised(_ number: Int) -> Promise<Int> { Promise { number } }
  private func read(_ text: String) { log.record(text) }

  func testTypesOfMultiStatementClosuresAreInferred() {
    let promise = Promise { () -> Int in
      let number = 1
      return number
    }
    .then { number in
      self.log.record("\(number)")
      self.log.record("second")
    }
    .then {
      self.log.record("third")
      self.log.record("fourth")
    }
    .then {
      let number = 5
      return number
    }
    .then { number -> Promise<Int> in
      self.log.record("\(number)")
      return Promise { number + 1 }
    }
    .then { number in
      let next = number + 1
      return Promise { next }
    }
    .then { $0 + 1 }
    XCTAssertEqual(outcome(promise), "8")
    XCTAssertEqual(log.entries, ["1", "second", "third", "fourth", "5"])
  }

  func testTypesOfEmptyAndThrowingClosuresAreInferred() {
    let promise = Promise {}.then {}.then { _ in }.then { () -> Void in }.then { _ in throw "no" }.catch { _ in }
    XCTAssertEqual(outcome(promise.then { 1 }), "1")
  }

  func testTypesOfClosuresThatMayThrowAreInferred() {
    let promise = Promise { try self.twice(1) }
      .then { number in
        guard number == 2 else { throw "no" }
        self.log.record("two")
      }
      .then { try self.twice(2) }
      .then { number in
        if number != 4 {
          throw "no"
        }
        return "\(number)"
      }
    XCTAssertEqual(outcome(promise), "4")
  }

  func testTypesOfFunctionReferencesAreInferred() {
    XCTAssertEqual(outcome(Promise { 1 }.then(f: twice).then(f: promised).then(f: twice)), "4")
    XCTAssertEqual(outcome(Promise { "text" }.then(f: read).then { 1 }), "1")
  }

  func testTypesOfMainQueueClosuresAreInferred() {
    var title = ""
    let promise = Promise { "title" }
      .then(.main) { title = $0 }
      .then(.main, timeout: waitLimit) { title += "!" }
      .then(.main, timeout: waitLimit, retry: 1) { title }
      .catch(.main, timeout: waitLimit, retry: 1) { title = "\($0)" }
      .finally(.main) { title += "?" }
    XCTAssertEqual(outcome(promise.then { title }), "title!?")
  }

  func testOptionalsAndTuplesAreInferred() {
    let promise = Promise<Int?> { nil }
      .then { $0 ?? 1 }
      .then { ($0, "\($0)") }
      .then { number, text in "\(number) \(text)" }
      .then { Optional($0) }
      .then { $0?.count }
    XCTAssertEqual(outcome(promise), "Optional(3)")
  }

  func testDocumentationSampleRuns() {
    func loadText() throws -> String { "text" }
    wait { expectation in
      func show(_ count: Int) {
        XCTAssertEqual(count, 4)
        expectation.fulfill()
      }
      Promise { try loadText() }
        .then { $0.count }
        .then(.main) { show($0) }
        .catch { print($0.localizedDescription) }
    }
  }

  private func decoded<Value: Decodable>(_ promise: Promise<Data>) -> Promise<Value> {
    promise.then { data in
      guard !data.isEmpty else { throw "no data" }
      let value = try JSONDecoder().decode(Value.self, from: data)
      return value
    }
  }

  private func stopped(_ promise: Promise<Int>) {
    promise.then { _ in fatalError("It is not called.") }.catch { _ in fatalError("It is not called.") }
    promise.then(.main) { number in
      if number > 0 { return }
      fatalError("It is not called.")
    }
  }

  func testTypesInGenericFunctionsAreInferred() {
    let promise: Promise<[Int]> = decoded(Promise { Data("[1, 2]".utf8) })
    XCTAssertEqual(outcome(promise), "[1, 2]")
    XCTAssertEqual(outcome(decoded(Promise { Data() }) as Promise<[Int]>), "error: no data")
  }

  func testVoidPromisesAreInferred() {
    let promise = Promise<Void>.resolve(())
      .then { (_, resolve: @escaping (()) -> Void, _) in DispatchQueue.main.async { resolve(()) } }
      .then { Promise.resolve(()) }
      .then { Promise<Void> { resolve, _ in resolve(()) } }
    XCTAssertEqual(outcome(promise.then { 1 }), "1")
  }
}
