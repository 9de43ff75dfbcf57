import PromiseQ
import XCTest

/// Single promises: how they start and how they are resolved.
final class CreatingTests: PromiseTestCase {
  func testClosureRunsAfterTheInitialiser() {
    wait { expectation in
      let queue = DispatchQueue(label: "a")
      queue.sync {
        Promise(queue) {
          self.log.record("body")
          expectation.fulfill()
        }
        self.log.record("made")
      }
    }
    XCTAssertEqual(log.entries, ["made", "body"])
  }

  func testPromiseDoesNotBeginWhileItsCreatorIsBusy() {
    let promise = Promise { self.log.record("body") }
    let end = DispatchTime.now() + .milliseconds(300)
    while DispatchTime.now() < end {}
    promise.cancel()
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
    XCTAssertEqual(log.entries, [])
  }

  func testPromisesBeginAlthoughTheirCreatorBlocksTheMainThread() {
    let gates = [Gate(), Gate()]
    for gate in gates { Promise { gate.open() } }
    for gate in gates { gate.pass() }
  }

  func testClosuresResolveRejectOrThrow() {
    typealias Resolve<T> = (T) -> Void
    XCTAssertEqual(outcome(Promise<String> { throw "no" }), "error: no")
    XCTAssertEqual(
      outcome(Promise<Int> { resolve, reject in DispatchQueue.main.async { reject("not") } }), "error: not")
    XCTAssertEqual(outcome(Promise { resolve, reject in resolve("at once") }), "at once")
    XCTAssertEqual(outcome(Promise<Int> { resolve, reject in throw "no" }), "error: no")
    XCTAssertEqual(outcome(Promise<Int> { resolve, reject, task in throw "no" }), "error: no")
    let step = Promise { 1 }.then { (value, resolve: @escaping Resolve<Int>, reject) in throw "no" }
    XCTAssertEqual(outcome(step), "error: no")
    let stepWithTask = Promise { 1 }.then { (value, resolve: @escaping Resolve<Int>, reject, task) in throw "no" }
    XCTAssertEqual(outcome(stepWithTask), "error: no")
    XCTAssertEqual(outcome(Promise<Int> { resolve, reject in }), "error: The Promise cancelled.", "forgets both")
    XCTAssertEqual(outcome(Promise.resolve("text").then { $0.count }), "4")
    XCTAssertEqual(outcome(Promise<Int>.reject("no").then { $0 + 1 }), "error: no")
  }

  func testFirstOfResolveRejectAndThrowCounts() {
    let resolved = Promise<Int> { resolve, reject in
      resolve(1)
      reject("late")
      resolve(2)
    }
    XCTAssertEqual(outcome(resolved), "1")
    let rejected = Promise<Int> { resolve, reject in
      reject("first")
      resolve(2)
      reject("late")
    }
    XCTAssertEqual(outcome(rejected), "error: first")
    let throwing = Promise<Int> { resolve, reject in
      resolve(1)
      throw "no"
    }
    XCTAssertEqual(outcome(throwing), "1")
  }

  func testResolvingFromManyThreadsCountsOnce() {
    for _ in 0..<50 {
      wait { expectation in
        Promise<Int> { resolve, reject in
          DispatchQueue.concurrentPerform(iterations: 8) { number in
            if number % 2 == 0 { resolve(number) } else { reject("odd") }
          }
        }
        .finally { expectation.fulfill() }
      }
    }
  }

  // MARK: A closure that returns a promise

  func testReturnedPromiseIsAdopted() {
    XCTAssertEqual(outcome(Promise { Promise { 1 } }.then { $0 + 1 }), "2")
    XCTAssertEqual(outcome(Promise<Int>(.main) { Promise<Int>.reject("no") }), "error: no")
    XCTAssertEqual(outcome(Promise<Int> { () -> Promise<Int> in throw "no" }), "error: no")
    let chain: Promise<String> = Promise { () -> Promise<String> in
      let text = "text"
      return Promise { text }.then { $0 + text }
    }
    XCTAssertEqual(outcome(chain), "texttext")
  }

  func testReturnedVoidPromiseIsAwaited() {
    let rejected = [
      Promise { Promise { () -> Void in throw "no" } }.then { self.log.record("step") },
      Promise { Promise { throw "no" } }.then { self.log.record("step") },
      Promise<Void> { Promise { () -> Void in throw "no" } }.then { _ in self.log.record("step") },
      Promise { Promise {}.then { throw "no" } }.then { self.log.record("step") },
    ]
    for promise in rejected { XCTAssertEqual(outcome(promise), "error: no") }
    XCTAssertEqual(log.entries, [])
    let inOrder = Promise { Promise { self.log.record("inner") }.then { self.log.record("step") } }.then {
      self.log.record("outer")
    }
    XCTAssertEqual(outcome(inOrder), "()")
    XCTAssertEqual(log.entries, ["inner", "step", "outer"])
  }

  func testPromiseReturnedAsValueIsAwaited() throws {
    let controlled = ControlledWork()
    let promise: Promise<Promise<Int>> = Promise { controlled.promise() }
    let end = promise.then { inner -> Int in
      self.log.record("then")
      return try inner.await() + 1
    }
    runMainQueue(until: controlled.begun)
    XCTAssertEqual(log.entries, [])
    controlled.finish(1)
    XCTAssertEqual(outcome(end), "2")
    XCTAssertEqual(outcome(promise.then { $0 }), "1")
    let rejected = Promise { Promise<Int>.reject("no") }
    XCTAssertEqual(outcome(rejected), "error: no")
  }
}
