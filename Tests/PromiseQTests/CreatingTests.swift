import Dispatch
import Foundation
import PromiseQ
import XCTest

/// Promises by themselves: how they begin, and how they are resolved.
final class CreatingTests: PromiseTestCase {
  func testThePromiseBeginsByItself() {
    wait { expectation in
      Promise { expectation.fulfill() }
    }
  }

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
    wait(3) { expectation in
      Promise {
        XCTAssertFalse(Thread.isMainThread)
        expectation.fulfill()
        throw "no"
      }
      .catch { _ in
        XCTAssertFalse(Thread.isMainThread)
        expectation.fulfill()
      }
      .then {
        XCTAssertFalse(Thread.isMainThread)
        expectation.fulfill()
      }
    }
  }

  func testTheClosureRunsOnTheMainQueue() {
    wait { expectation in
      Promise(.main) {
        XCTAssertTrue(Thread.isMainThread)
        expectation.fulfill()
      }
    }
  }

  func testTheClosureRunsOnACertainQueue() {
    let key = DispatchSpecificKey<Int>()
    let queue = DispatchQueue(label: "certain")
    queue.setSpecific(key: key, value: 7)
    wait { expectation in
      Promise(queue) {
        XCTAssertEqual(DispatchQueue.getSpecific(key: key), 7)
        expectation.fulfill()
      }
    }
  }

  func testThrowingRejects() {
    XCTAssertEqual(outcome(Promise<Int> { throw "no" }), "error: no")
  }

  func testResolveLater() {
    let promise = Promise<String> { resolve, reject in
      DispatchQueue.main.async { resolve("done") }
    }
    XCTAssertEqual(outcome(promise), "done")
  }

  func testRejectLater() {
    let promise = Promise<String> { resolve, reject in
      DispatchQueue.main.async { reject("not done") }
    }
    XCTAssertEqual(outcome(promise), "error: not done")
  }

  func testResolveAtOnce() {
    XCTAssertEqual(outcome(Promise { resolve, reject in resolve(200) }), "200")
  }

  func testTheFirstOfResolveAndRejectWins() {
    XCTAssertEqual(
      outcome(
        Promise<Int> {
          $0(1)
          $1("late")
          $0(2)
        }), "1")
    XCTAssertEqual(
      outcome(
        Promise<Int> {
          $1("first")
          $0(2)
          $1("late")
        }), "error: first")
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

  func testResolveAndRejectThatAreForgottenCancel() {
    XCTAssertEqual(outcome(Promise<Int> { resolve, reject in }), "error: The Promise cancelled.")
  }

  func testTheBodyRunsOnceHoweverManyObservers() {
    wait(20) { expectation in
      let promise = Promise { () -> Int in
        self.log.add("body")
        return 1
      }
      for _ in 0..<10 { promise.then { _ in expectation.fulfill() } }
      DispatchQueue.main.async {
        for _ in 0..<10 { promise.then { _ in expectation.fulfill() } }
      }
    }
    XCTAssertEqual(log.entries, ["body"])
  }

  func testTheBodyRunsOnceAlsoWhenObservedLate() {
    let promise = Promise { () -> Int in
      self.log.add("body")
      return 1
    }
    XCTAssertEqual(outcome(promise), "1")
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

  func testResolve() {
    XCTAssertEqual(outcome(Promise.resolve(200)), "200")
    XCTAssertEqual(outcome(Promise.resolve("text").then { $0.count }), "4")
  }

  func testReject() {
    XCTAssertEqual(outcome(Promise<Void>.reject("no")), "error: no")
    XCTAssertEqual(outcome(Promise<Int>.reject("no").then { $0 + 1 }), "error: no")
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
    let begun = Gate()
    var finish: (() -> Void)?
    let promise: Promise<Promise<Int>> = Promise {
      Promise { resolve, reject in
        finish = { resolve(1) }
        DispatchQueue.main.async { begun.open() }
      }
    }
    let end = promise.then { inner -> Int in
      self.log.add("then")
      return try inner.await() + 1
    }
    settleUntil(begun)
    XCTAssertEqual(log.entries, [])
    finish?()
    XCTAssertEqual(outcome(end), "2")
    let rejected = Promise { Promise<Int>.reject("no") }
    XCTAssertEqual(outcome(rejected), "error: no")
  }

  func testAClosureThatReturnsAPromiseIsCancelledWithIt() {
    wait(2) { expectation in
      let begun = Gate()
      var kept: [Any] = []
      let promise = Promise<Int> {
        Promise { resolve, reject in
          kept.append(resolve)
          DispatchQueue.main.async { begun.open() }
        }
        .finally { expectation.fulfill() }
      }
      promise.catch { error in
        XCTAssertEqual(error.localizedDescription, "The Promise cancelled.")
        expectation.fulfill()
      }
      settleUntil(begun)
      promise.cancel()
    }
  }

  // MARK: Closures that resolve and throw

  func testAClosureThatThrowsInsteadOfRejecting() {
    XCTAssertEqual(outcome(Promise<Int> { resolve, reject in throw "no" }), "error: no")
    XCTAssertEqual(outcome(Promise<Int> { resolve, reject, task in throw "no" }), "error: no")
    let step = Promise { 1 }.then { (value: Int, resolve: @escaping (Int) -> Void, reject) in throw "no" }
    XCTAssertEqual(outcome(step), "error: no")
    let task = Promise { 1 }.then { (value: Int, resolve: @escaping (Int) -> Void, reject, task) in throw "no" }
    XCTAssertEqual(outcome(task), "error: no")
  }

  func testWhatIsThrownAfterResolvingDoesNotCount() {
    let promise = Promise<Int> { resolve, reject in
      resolve(1)
      throw "no"
    }
    XCTAssertEqual(outcome(promise), "1")
  }
}
