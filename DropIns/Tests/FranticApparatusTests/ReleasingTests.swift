import FranticApparatus
import TestSupport
import XCTest

private typealias Promise = FranticApparatus.Promise

private enum Trouble: Error { case first }

/// What the release of a promise ends, and what it does not end.
final class ReleasingTests: XCTestCase {
  /// The functions that a promise gives to its body.
  private struct Functions {
    var fulfill: (Int) -> Void = { _ in }
    var reject: (Error) -> Void = { _ in }
    var isCancelled: () -> Bool = { false }
  }

  private let dispatcher = ManualDispatcher()

  private func pending() -> (FranticApparatus.Promise<Int>, Functions) {
    var functions = Functions()
    let promise = Promise<Int> { functions = Functions(fulfill: $0, reject: $1, isCancelled: $2) }
    return (promise, functions)
  }

  func testIsCancelledIsTrueAfterTheReleaseWhateverTheResult() {
    let ends: [(String, (Functions) -> Void)] = [
      ("fulfilled", { $0.fulfill(1) }), ("rejected", { $0.reject(Trouble.first) }),
    ]
    for (name, end) in ends {
      for isReleasedFirst in [true, false] {
        var (promise, functions): (FranticApparatus.Promise<Int>?, Functions) = pending()
        if !isReleasedFirst {
          end(functions)
          withExtendedLifetime(promise) { XCTAssertFalse(functions.isCancelled(), name) }
        }
        promise = nil
        XCTAssertTrue(functions.isCancelled(), name)
        if isReleasedFirst { end(functions) }
        XCTAssertTrue(functions.isCancelled(), name)
      }
    }
  }

  func testIsCancelledIsTrueAfterTheChainHasPassedThePromise() {
    let (last, functions) = { () -> (FranticApparatus.Promise<Int>, Functions) in
      let (promise, functions) = pending()
      return (promise.whenFulfilledThenTransform(on: dispatcher) { $0 + 1 }, functions)
    }()
    functions.fulfill(1)
    XCTAssertFalse(functions.isCancelled(), "the callback has not run")
    dispatcher.runAll()
    withExtendedLifetime(last) { XCTAssertTrue(functions.isCancelled()) }
  }

  func testResolvedCombinationReleasesItsInputs() {
    typealias Inputs = [FranticApparatus.Promise<Int>]
    let combinations: [(String, (Inputs) -> AnyObject, (Functions) -> Void)] = [
      ("all", { all($0) }, { $0.reject(Trouble.first) }),
      ("all by key", { all(["a": $0[0], "b": $0[1]]) }, { $0.reject(Trouble.first) }),
      ("race", { race($0) }, { $0.fulfill(1) }),
    ]
    for (name, combine, end) in combinations {
      let (combination, slow, fast) = { () -> (AnyObject, Functions, Functions) in
        let ((first, slow), (second, fast)) = (pending(), pending())
        return (combine([first, second]), slow, fast)
      }()
      XCTAssertFalse(slow.isCancelled(), name)
      end(fast)
      withExtendedLifetime(combination) { XCTAssertTrue(slow.isCancelled(), name) }
    }
  }

  func testReleasedFunctionsLeaveThePromisePending() {
    let unresolved = Promise<Int> { _, _, _ in }
    let fulfilled = Promise<Int> { fulfill, _, _ in fulfill(1) }
    let rejected = Promise<Int> { _, reject, _ in reject(Trouble.first) }
    var chains: [AnyObject] = [unresolved.whenComplete(on: dispatcher) { XCTFail("There is no result.") }]
    chains.append(all([fulfilled, unresolved]).whenComplete(on: dispatcher) { XCTFail("all has no result.") })
    chains.append(any([1: fulfilled, 2: unresolved]).whenComplete(on: dispatcher) { XCTFail("any has no result.") })
    chains.append(race([rejected, unresolved]).whenComplete(on: dispatcher) { XCTFail("race has no result.") })
    dispatcher.runAll()
    withExtendedLifetime((chains, unresolved)) { XCTAssertEqual(dispatcher.total, 0) }
  }

  func testPromiseReturnedWhileItsChainIsReleasedIsReleased() {
    let queue = DispatchQueue(label: "steps")
    for round in 0..<200 {
      let (begun, inner) = (DispatchSemaphore(value: 0), Recorder<() -> Bool>())
      let start = Promise<Int> { fulfill, _, _ in fulfill(1) }
      var last: FranticApparatus.Promise<Int>? = start.whenFulfilledThenPromise(on: GCDDispatcher(queue: queue)) {
        [self] _ in
        let (promise, functions) = pending()
        inner.record(functions.isCancelled)
        begun.signal()
        return promise
      }
      XCTAssertEqual(begun.wait(timeout: .now() + 30), .success, "the step begins")
      // The closure returns within these reads in some rounds, and after them in others.
      for _ in 0..<(round % 40) { _ = inner.entries }
      withExtendedLifetime(last) {}
      last = nil
      queue.sync {}
      XCTAssertEqual(inner.entries.map { $0() }, [true], "round \(round)")
    }
  }
}
