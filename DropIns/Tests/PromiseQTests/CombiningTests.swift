import PromiseQ
import XCTest

/// `all`, `race` and `any`.
final class CombiningTests: PromiseTestCase {
  private func never<T>(_ type: T.Type = T.self) -> Promise<T> {
    Promise<T> { resolve, reject, task in task = Work(self.log) { _ = resolve } }
  }

  func testAllKeepsTheOrderOfAnArray() {
    let promises = (0..<1_000).map { number in
      Promise<Int>(number % 2 == 0 ? .main : .global()) { number }
    }
    XCTAssertEqual(outcome(Promise.all(promises).then { $0 == Array(0..<1_000) }), "true")
  }

  func testFirstErrorRejectsAllAndRace() {
    XCTAssertEqual(outcome(Promise.all(never(Int.self), Promise { throw "no" }, never())), "error: no")
    XCTAssertEqual(outcome(Promise.race([never(Int.self), Promise { throw "no" }])), "error: no")
  }

  func testCombinationsWithoutInputsResolveAtOnce() {
    for promise in [Promise<Int>.all(), Promise<Int>.all([]), Promise<Int>.all(settled: true, [])] {
      XCTAssertEqual(outcome(promise), "[]")
    }
    for promise in [Promise<Int>.race(), Promise<Int>.race([]), Promise<Int>.any(), Promise<Int>.any([])] {
      XCTAssertEqual(outcome(promise), "error: The Promises empty.")
    }
  }

  func testAllSettledOmitsErrorsOfOtherTypes() {
    let promises = [Promise { 1 }, Promise<Int> { throw "no" }, Promise { 3 }]
    XCTAssertEqual(outcome(Promise.all(settled: true, promises)), "[1, 3]")
    let errors = [Promise<Error> { throw "a" }, Promise<Error> { "b" as Error }]
    XCTAssertEqual(outcome(Promise.all(settled: true, errors).then { $0.map(\.localizedDescription) }), #"["a", "b"]"#)
  }

  func testAllAcceptsOnePromiseSeveralTimes() {
    let promise = Promise { () -> Int in
      self.log.record("body")
      return 1
    }
    XCTAssertEqual(outcome(Promise.all(promise, promise, promise.then { $0 + 1 })), "[1, 1, 2]")
    XCTAssertEqual(log.entries.count, 1)
  }

  func testAnyRejectsWithAllErrorsIncludingCancellations() {
    let cancelled = Promise { 1 }
    cancelled.cancel()
    let late = Promise<Int> { resolve, reject in DispatchQueue.main.async { reject("late") } }
    let promise = Promise.any(late, cancelled, Promise { throw "no" }).catch { error in
      guard case PromiseError.aggregate(let errors) = error else { return XCTFail("\(error)") }
      self.log.record("\(errors.map(\.localizedDescription))")
    }
    XCTAssertEqual(outcome(promise), "()")
    XCTAssertEqual(log.entries, [#"["late", "The Promise cancelled.", "no"]"#])
  }

  func testAllSettledAndRaceReportACancelledInput() {
    let cancelled = Promise<Any> { 1 }
    cancelled.cancel()
    let promise = Promise.all(settled: true, [cancelled, Promise { 2 }])
    XCTAssertEqual(outcome(promise.then { $0.map { "\($0)" } }), #"["cancelled", "2"]"#)
    XCTAssertEqual(outcome(Promise.race(never(), cancelled)), "error: The Promise cancelled.")
  }

  // MARK: All of them

  private var combinations: [(String, ([Promise<Int>]) -> Asyncable)] {
    [
      ("all", { Promise.all($0) }), ("settled", { Promise.all(settled: true, $0) }), ("race", { Promise.race($0) }),
      ("any", { Promise.any($0) }),
    ]
  }

  func testCancelReachesEveryInput() {
    for (name, combine) in combinations {
      wait(3) { expectation in
        let inputs = (0..<3).map { _ in
          Promise { XCTFail("\(name): It runs although it is cancelled.") }.then { 1 }
        }
        for input in inputs {
          input.catch { error in
            XCTAssertEqual(error.localizedDescription, "The Promise cancelled.", name)
            expectation.fulfill()
          }
        }
        combine(inputs).cancel()
      }
    }
  }

  func testCancelReachesTheTasksOfTheInputs() {
    for (_, combine) in combinations {
      let controlled = [ControlledWork(), ControlledWork()]
      let combination = combine(controlled.map { $0.promiseWithTask() })
      for controlled in controlled { runMainQueue(until: controlled.begun) }
      combination.cancel()
      for controlled in controlled { controlled.work.called.pass() }
    }
    let promise = Promise.all([never(Int.self), never()])
    promise.cancel()
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
  }

  func testSuspendReachesEveryInput() {
    for (name, combine) in combinations {
      let log = Recorder<String>()
      let inputs = (0..<3).map { number in
        Promise { () -> Int in
          log.record("body")
          return number
        }
      }
      let combination = combine(inputs)
      combination.suspend()
      finishOtherWork()
      XCTAssertEqual(log.entries, [], name)
      combination.resume()
      XCTAssertEqual(outcome(Promise.all(inputs)), "[0, 1, 2]", name)
    }
  }

  func testCombinationsNest() {
    let nested = Promise.all(Promise.all(Promise { 1 }, Promise { 2 }), Promise.all([Promise.race(Promise { 3 })]))
    XCTAssertEqual(outcome(nested), "[[1, 2], [3]]")
  }
}
