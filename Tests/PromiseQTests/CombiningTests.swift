import Dispatch
import Foundation
import PromiseQ
import XCTest

/// `all`, `race` and `any`.
final class CombiningTests: PromiseTestCase {
  private func never<T>(_ type: T.Type = T.self) -> Promise<T> {
    Promise<T> { resolve, reject, task in task = Work(self.log) { _ = resolve } }
  }

  // MARK: all

  func testAll() {
    let promise = Promise.all(
      Promise {
        return "Hello"
      },
      Promise { resolve, reject in
        DispatchQueue.main.async { resolve("World") }
      }
    )
    XCTAssertEqual(outcome(promise), #"["Hello", "World"]"#)
  }

  func testAllOfAnArrayKeepsTheOrder() {
    let promises = (0..<100).map { number in
      Promise<Int>(number % 2 == 0 ? .main : .global()) { number }
    }
    XCTAssertEqual(outcome(Promise.all(promises).then { $0 == Array(0..<100) }), "true")
  }

  func testAllIsRejectedWithTheFirstError() {
    XCTAssertEqual(outcome(Promise.all(never(Int.self), Promise { throw "no" }, never())), "error: no")
  }

  func testAllOfNone() {
    XCTAssertEqual(outcome(Promise<Int>.all()), "[]")
    XCTAssertEqual(outcome(Promise<Int>.all([])), "[]")
    XCTAssertEqual(outcome(Promise<Int>.all(settled: true, [])), "[]")
  }

  func testAllSettled() {
    let promise = Promise.all(
      settled: true,
      Promise<Any> { resolve, reject in
        DispatchQueue.main.async { reject("error") }
      },
      Promise {
        return 200
      }
    )
    XCTAssertEqual(outcome(promise.then { $0.map { "\($0)" } }), #"["error", "200"]"#)
  }

  func testAllSettledHasOnlyTheErrorsThatFit() {
    let promises = [Promise { 1 }, Promise<Int> { throw "no" }, Promise { 3 }]
    XCTAssertEqual(outcome(Promise.all(settled: true, promises)), "[1, 3]")
    let errors = [Promise<Error> { throw "a" }, Promise<Error> { "b" as Error }]
    XCTAssertEqual(outcome(Promise.all(settled: true, errors).then { $0.map(\.localizedDescription) }), #"["a", "b"]"#)
  }

  func testAllSettledHasTheCancelledOnes() {
    let cancelled = Promise<Any> { 1 }
    cancelled.cancel()
    let promise = Promise.all(settled: true, [cancelled, Promise { 2 }])
    XCTAssertEqual(outcome(promise.then { $0.map { "\($0)" } }), #"["cancelled", "2"]"#)
  }

  func testAllOfAThousand() {
    XCTAssertEqual(outcome(Promise.all((0..<1_000).map { number in Promise { number } }).then { $0.count }), "1000")
  }

  func testAllOfTheSamePromise() {
    let promise = Promise { () -> Int in
      self.log.add("body")
      return 1
    }
    XCTAssertEqual(outcome(Promise.all(promise, promise, promise.then { $0 + 1 })), "[1, 1, 2]")
    XCTAssertEqual(log.count, 1)
  }

  // MARK: race

  func testRaceHasTheFirstValue() {
    XCTAssertEqual(outcome(Promise.race(never(), Promise { 1 })), "1")
  }

  func testRaceHasTheFirstError() {
    XCTAssertEqual(outcome(Promise.race([never(Int.self), Promise { throw "no" }])), "error: no")
  }

  func testRaceHasACancellation() {
    let cancelled = Promise { 1 }
    cancelled.cancel()
    XCTAssertEqual(outcome(Promise.race(never(), cancelled)), "error: The Promise cancelled.")
  }

  func testRaceOfNone() {
    XCTAssertEqual(outcome(Promise<Int>.race()), "error: The Promises empty.")
    XCTAssertEqual(outcome(Promise<Int>.race([])), "error: The Promises empty.")
  }

  // MARK: any

  func testAnyHasTheFirstValue() {
    let promise = Promise.any(
      Promise { resolve, reject in
        reject("Error")
      },
      Promise { resolve, reject in
        DispatchQueue.main.async { resolve(200) }
      }
    )
    XCTAssertEqual(outcome(promise), "200")
  }

  func testAnyHasAllTheErrors() {
    wait { expectation in
      Promise.any([
        Promise<Int> { resolve, reject in DispatchQueue.main.async { reject("Error") } },
        Promise<Int> { throw "Fail" },
      ])
      .catch { error in
        guard case PromiseError.aggregate(let errors) = error else { return XCTFail("\(error)") }
        XCTAssertEqual(errors.map(\.localizedDescription), ["Error", "Fail"])
        XCTAssertEqual(error.localizedDescription, "All Promises rejected.")
        expectation.fulfill()
      }
    }
  }

  func testAnyCountsACancellationAsAnError() {
    let cancelled = Promise { 1 }
    cancelled.cancel()
    wait { expectation in
      Promise.any(cancelled, Promise { throw "no" }).catch { error in
        guard case PromiseError.aggregate(let errors) = error else { return XCTFail("\(error)") }
        XCTAssertEqual(errors.map(\.localizedDescription), ["The Promise cancelled.", "no"])
        expectation.fulfill()
      }
    }
  }

  func testAnyOfNone() {
    XCTAssertEqual(outcome(Promise<Int>.any()), "error: The Promises empty.")
    XCTAssertEqual(outcome(Promise<Int>.any([])), "error: The Promises empty.")
  }

  // MARK: All of them

  private var combinations: [(String, ([Promise<Int>]) -> Asyncable)] {
    [
      ("all", { Promise.all($0) }), ("settled", { Promise.all(settled: true, $0) }), ("race", { Promise.race($0) }),
      ("any", { Promise.any($0) }),
    ]
  }

  func testCancellingReachesEveryInput() {
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

  func testACancelledCombinationIsRejected() {
    let promise = Promise.all([never(Int.self), never()])
    promise.cancel()
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
  }

  func testCancellingReachesTheTasksOfTheInputs() {
    for (_, combine) in combinations {
      let begun = Gate()
      let works = [Work(), Work()]
      var kept: [Any] = []
      let inputs = works.map { work in
        Promise<Int>(.main) { resolve, reject, task in
          kept.append(resolve)
          task = work
          DispatchQueue.main.async { begun.open() }
        }
      }
      let combination = combine(inputs)
      for _ in works { settleUntil(begun) }
      combination.cancel()
      for work in works { work.told.pass() }
    }
  }

  func testSuspendingReachesEveryInput() {
    for (name, combine) in combinations {
      let log = Log()
      let inputs = (0..<3).map { number in
        Promise { () -> Int in
          log.add("body")
          return number
        }
      }
      let combination = combine(inputs)
      combination.suspend()
      XCTAssertEqual(outcome(Promise { 1 }), "1")
      settle()
      XCTAssertEqual(log.entries, [], name)
      combination.resume()
      XCTAssertEqual(outcome(Promise.all(inputs)), "[0, 1, 2]", name)
    }
  }

  func testCombinationsInCombinations() {
    let promise = Promise.all(Promise.all(Promise { 1 }, Promise { 2 }), Promise.all([Promise.race(Promise { 3 })]))
    XCTAssertEqual(outcome(promise), "[[1, 2], [3]]")
  }

  func testStepsBehindACombination() {
    let promise = Promise { 3 }.then { count -> Promise<[Int]> in
      Promise.all((0..<count).map { number in Promise { number } })
    }
    .then { $0.reduce(0, +) }
    XCTAssertEqual(outcome(promise), "3")
  }
}
