import Dispatch
import Foundation
import PromiseQ
import XCTest

/// Promises by themselves: how they begin, and how they are resolved.
final class CreatingTests: PromiseTestCase {
  func testTheClosureRunsAfterTheInitializer() {
    wait { expectation in
      let queue = DispatchQueue(label: "a")
      queue.sync {
        Promise(queue) {
          self.log.add("body")
          expectation.fulfill()
        }
        self.log.add("made")
      }
    }
    XCTAssertEqual(log.entries, ["made", "body"])
  }

  func testNothingBeginsWhileTheCodeThatHasMadeItIsBusy() {
    let promise = Promise { self.log.add("body") }
    let end = DispatchTime.now() + .milliseconds(300)
    while DispatchTime.now() < end {}
    promise.cancel()
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
    XCTAssertEqual(log.entries, [])
  }

  func testAPromiseBeginsWhenTheCodeThatHasMadeItWaits() {
    for _ in 0..<2 {
      let gates = [Gate(), Gate()]
      for gate in gates { Promise { gate.open() } }
      for gate in gates { gate.pass() }
    }
  }

  func testTheDefaultQueueIsNotTheMainOne() {
    func note() { log.add(Thread.isMainThread ? "main" : "another") }
    let promise = Promise {
      note()
      throw "no"
    }
    .catch { _ in note() }
    .then { note() }
    XCTAssertEqual(outcome(promise), "()")
    XCTAssertEqual(log.entries, ["another", "another", "another"])
  }

  func testTheClosureRunsOnItsQueue() {
    let key = DispatchSpecificKey<Int>()
    let queue = DispatchQueue(label: "certain")
    queue.setSpecific(key: key, value: 7)
    XCTAssertEqual(outcome(Promise(.main) { Thread.isMainThread }), "true")
    XCTAssertEqual(outcome(Promise(queue) { DispatchQueue.getSpecific(key: key) ?? 0 }), "7")
  }

  func testTheFirstOfResolveRejectAndThrowCounts() {
    typealias Resolve<T> = (T) -> Void
    let one = Promise { 1 }
    let promises: [(String, Promise<String>, String)] = [
      ("throws", Promise<String> { throw "no" }, "error: no"),
      ("resolves later", Promise { resolve, reject in DispatchQueue.main.async { resolve("done") } }, "done"),
      ("rejects later", Promise { resolve, reject in DispatchQueue.main.async { reject("not") } }, "error: not"),
      ("resolves at once", Promise { resolve, reject in resolve("at once") }, "at once"),
      ("throws instead", Promise { resolve, reject in throw "no" }, "error: no"),
      ("throws instead, with a task", Promise { resolve, reject, task in throw "no" }, "error: no"),
      ("step", one.then { (value: Int, resolve: @escaping Resolve<String>, reject) in throw "no" }, "error: no"),
      (
        "step with a task",
        one.then { (value: Int, resolve: @escaping Resolve<String>, reject, task) in throw "no" }, "error: no"
      ),
      ("forgets both", Promise { resolve, reject in }, "error: The Promise cancelled."),
      ("resolved", .resolve("text"), "text"), ("rejected", .reject("no"), "error: no"),
      ("behind resolved", Promise.resolve("text").then { "\($0.count)" }, "4"),
      ("behind rejected", Promise<Int>.reject("no").then { "\($0)" }, "error: no"),
      (
        "resolves first",
        Promise {
          $0("1")
          $1("late")
          $0("2")
        }, "1"
      ),
      (
        "rejects first",
        Promise {
          $1("first")
          $0("2")
          $1("late")
        }, "error: first"
      ),
      (
        "throws after resolving",
        Promise { resolve, reject in
          resolve("1")
          throw "no"
        }, "1"
      ),
    ]
    for (name, promise, expected) in promises { XCTAssertEqual(outcome(promise), expected, name) }
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

  func testTheBodyRunsOnceHoweverManyObserversAndHoweverLate() {
    let promise = Promise { () -> Int in
      self.log.add("body")
      return 1
    }
    wait(20) { expectation in
      for _ in 0..<10 { promise.then { _ in expectation.fulfill() } }
      DispatchQueue.main.async {
        for _ in 0..<10 { promise.then { _ in expectation.fulfill() } }
      }
    }
    XCTAssertEqual(outcome(promise), "1")
    XCTAssertEqual(try promise.await(), 1)
    XCTAssertEqual(log.entries, ["body"])
  }

  func testObserversRunInTheirOrder() {
    wait { expectation in
      let promise = Promise { 0 }
      for number in 1...50 { promise.then(.main) { _ in self.log.add("\(number)") } }
      promise.then(.main) { _ in expectation.fulfill() }
    }
    XCTAssertEqual(log.entries, (1...50).map { "\($0)" })
  }

  func testAPromiseOfAnObjectThatIsNotSendable() {
    final class Box { var number = 1 }
    let box = Box()
    let promise = Promise { () -> Box in
      box.number += 1
      return box
    }
    XCTAssertEqual(outcome(promise.then { $0.number }), "2")
  }

  func testTheQueueMayBeBusyForAWhile() {
    let (queue, gate) = (DispatchQueue(label: "busy"), Gate())
    queue.async { gate.pass() }
    let promise = Promise(queue) { self.log.add("body") }
    promise.then(.main) { self.log.add("then") }
    settle()
    XCTAssertEqual(log.entries, [])
    gate.open()
    XCTAssertEqual(outcome(promise.then { 5 }), "5")
    XCTAssertEqual(log.entries, ["body", "then"])
  }

  // MARK: A closure that returns a promise

  func testAClosureThatReturnsAPromise() {
    XCTAssertEqual(outcome(Promise { Promise { 1 } }.then { $0 + 1 }), "2")
    XCTAssertEqual(outcome(Promise<Int>(.main) { Promise<Int>.reject("no") }), "error: no")
    XCTAssertEqual(outcome(Promise<Int> { () -> Promise<Int> in throw "no" }), "error: no")
    let chain: Promise<String> = Promise { () -> Promise<String> in
      let text = "text"
      return Promise { text }.then { $0 + text }
    }
    XCTAssertEqual(outcome(chain), "texttext")
  }

  func testAClosureThatReturnsAPromiseIsTriedAgain() {
    let promise: Promise<Int> = Promise(retry: 2) {
      self.log.add("attempt")
      let count = self.log.count
      return Promise { if count < 3 { throw "no" } else { return count } }
    }
    XCTAssertEqual(outcome(promise), "3")
  }

  func testAPromiseOfNothingThatIsReturnedIsWaitedForAsWell() {
    let rejected = [
      Promise { Promise { () -> Void in throw "no" } }.then { self.log.add("step") },
      Promise { Promise { throw "no" } }.then { self.log.add("step") },
      Promise<Void> { Promise { () -> Void in throw "no" } }.then { _ in self.log.add("step") },
      Promise { Promise {}.then { throw "no" } }.then { self.log.add("step") },
    ]
    for promise in rejected { XCTAssertEqual(outcome(promise), "error: no") }
    XCTAssertEqual(log.entries, [])
    let inOrder = Promise { Promise { self.log.add("inner") }.then { self.log.add("step") } }.then {
      self.log.add("outer")
    }
    XCTAssertEqual(outcome(inOrder), "()")
    XCTAssertEqual(log.entries, ["inner", "step", "outer"])
  }

  func testAPromiseThatIsReturnedAsTheValueIsWaitedForAsWell() throws {
    let held = Held()
    let promise: Promise<Promise<Int>> = Promise { held.promise() }
    let end = promise.then { inner -> Int in
      self.log.add("then")
      return try inner.await() + 1
    }
    settleUntil(held.begun)
    XCTAssertEqual(log.entries, [])
    held.finish(1)
    XCTAssertEqual(outcome(end), "2")
    let rejected = Promise { Promise<Int>.reject("no") }
    XCTAssertEqual(outcome(rejected), "error: no")
  }

  func testAClosureThatReturnsAPromiseIsCancelledWithIt() {
    wait(2) { expectation in
      let held = Held()
      let promise = Promise<Int> { held.promise().finally { expectation.fulfill() } }
      promise.catch { error in
        XCTAssertEqual(error.localizedDescription, "The Promise cancelled.")
        expectation.fulfill()
      }
      settleUntil(held.begun)
      promise.cancel()
    }
  }
}
