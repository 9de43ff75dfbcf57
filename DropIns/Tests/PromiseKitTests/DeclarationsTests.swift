import PromiseKit
import XCTest

/// Each declaration, used once as old code uses it.
final class DeclarationsTests: PromiseKitTestCase {
  func testEachStepOfAPromiseWorks() throws {
    let one = Promise.value(1)
    XCTAssertEqual(try value(one.then { Promise.value("\($0)") }), "1")
    XCTAssertEqual(try value(one.then(on: nil, flags: nil) { Guarantee.value($0 + 1) }), 2)
    XCTAssertEqual(try value(one.map { $0 + 1 }), 2)
    XCTAssertEqual(try value(one.map(on: .global(), String.init)), "1")
    XCTAssertEqual(try value(one.map(\.description)), "1")
    XCTAssertEqual(try value(Promise.value("3").compactMap(Int.init)), 3)
    XCTAssertEqual(try value(Promise.value("3").compactMap(on: nil) { Int($0) }), 3)
    try value(one.done { self.log.record("done \($0)") })
    try value(one.done(on: .global()) { self.log.record("done \($0)") })
    XCTAssertEqual(try value(one.get { self.log.record("get \($0)") }), 1)
    XCTAssertEqual(try value(one.get(on: nil) { self.log.record("get \($0)") }), 1)
    XCTAssertEqual(one.get(on: nil) { _ in throw Trouble.second }.error as? Trouble, .second)
    XCTAssertEqual(try value(one.tap { self.log.record("tap \($0.isFulfilled)") }), 1)
    XCTAssertEqual(try value(one.tap(on: nil) { self.log.record("tap \($0.isFulfilled)") }), 1)
    try value(one.asVoid())
    XCTAssertEqual(log.entries, ["done 1", "done 1", "get 1", "get 1", "tap true", "tap true"])
  }

  func testEachPropertyOfAThenableWorks() {
    let (pending, _) = Promise<Int>.pending()
    let failed = Promise<Int>(error: Trouble.first)
    XCTAssertTrue(pending.isPending && !pending.isResolved && pending.value == nil && pending.error == nil)
    XCTAssertTrue(failed.isRejected && failed.isResolved && !failed.isFulfilled)
    XCTAssertEqual(failed.error as? Trouble, .first)
    XCTAssertTrue(Promise.value(1).isFulfilled)
    XCTAssertEqual(Guarantee.value(1).value, 1)
    XCTAssertEqual(Plain(.value(1)).value, 1)
  }

  func testEachSequenceOperatorWorks() throws {
    let numbers = Promise.value([3, 1, 2])
    XCTAssertEqual(try value(numbers.mapValues { $0 * 2 }), [6, 2, 4])
    XCTAssertEqual(try value(numbers.mapValues(on: nil) { $0 * 2 }), [6, 2, 4])
    XCTAssertEqual(try value(numbers.flatMapValues { [$0, $0] }), [3, 3, 1, 1, 2, 2])
    XCTAssertEqual(try value(numbers.flatMapValues(on: nil) { [$0] }), [3, 1, 2])
    XCTAssertEqual(try value(numbers.compactMapValues { $0 > 1 ? "\($0)" : nil }), ["3", "2"])
    XCTAssertEqual(try value(numbers.compactMapValues(on: nil) { $0 > 1 ? $0 : nil }), [3, 2])
    XCTAssertEqual(try value(numbers.thenMap { Promise.value($0 + 1) }), [4, 2, 3])
    XCTAssertEqual(try value(numbers.thenMap(on: nil) { Guarantee.value($0 + 1) }), [4, 2, 3])
    XCTAssertEqual(try value(numbers.thenFlatMap { Promise.value([$0, 0]) }), [3, 0, 1, 0, 2, 0])
    XCTAssertEqual(try value(numbers.thenFlatMap(on: nil) { Promise.value([$0]) }), [3, 1, 2])
    XCTAssertEqual(try value(numbers.filterValues { $0 > 1 }), [3, 2])
    XCTAssertEqual(try value(numbers.filterValues(on: nil) { $0 > 1 }), [3, 2])
    XCTAssertEqual(try value(numbers.firstValue), 3)
    XCTAssertEqual(try value(numbers.firstValue { $0 < 3 }), 1)
    XCTAssertEqual(try value(numbers.firstValue(on: nil) { $0 < 3 }), 1)
    XCTAssertEqual(try value(numbers.firstValue(where: { $0 < 3 })), 1)
    XCTAssertEqual(try value(numbers.lastValue), 2)
    XCTAssertEqual(try value(numbers.sortedValues()), [1, 2, 3])
    XCTAssertEqual(try value(numbers.sortedValues(on: nil)), [1, 2, 3])
  }

  func testEachSequenceOperatorOfAGuaranteeWorks() {
    let numbers = Guarantee.value([3, 1, 2])
    func elements(_ guarantee: Guarantee<[Int]>) -> [Int]? { guarantee.value }
    XCTAssertEqual(elements(numbers.mapValues(on: nil) { $0 * 2 }), [6, 2, 4])
    XCTAssertEqual(elements(numbers.flatMapValues(on: nil) { [$0, $0] }), [3, 3, 1, 1, 2, 2])
    XCTAssertEqual(elements(numbers.compactMapValues(on: nil) { $0 > 1 ? $0 : nil }), [3, 2])
    XCTAssertEqual(elements(numbers.thenMap(on: nil) { Guarantee.value($0 + 1) }), [4, 2, 3])
    XCTAssertEqual(elements(numbers.thenFlatMap(on: nil) { Guarantee.value([$0]) }), [3, 1, 2])
    XCTAssertEqual(elements(numbers.filterValues(on: nil) { $0 > 1 }), [3, 2])
    XCTAssertEqual(elements(numbers.sortedValues(on: nil)), [1, 2, 3])
    XCTAssertEqual(elements(numbers.sortedValues(on: nil) { $0 > $1 }), [3, 2, 1])
    conf.Q.map = nil
    XCTAssertEqual(numbers.mapValues { $0 }.flatMapValues { [$0] }.compactMapValues { $0 }.value, [3, 1, 2])
    XCTAssertEqual(numbers.thenMap { .value($0) }.thenFlatMap { Guarantee.value([$0]) }.value, [3, 1, 2])
    XCTAssertEqual(numbers.filterValues { $0 > 1 }.sortedValues { $0 < $1 }.value, [2, 3])
  }

  func testEachCatchOperatorWorks() throws {
    let failed = Promise<Int>(error: Trouble.first)
    failed.catch(on: nil) { self.log.record("\($0)") }.finally(on: nil) { self.log.record("finally") }
    failed.catch(on: nil, policy: .allErrors) { self.log.record("\($0)") }
    XCTAssertEqual(log.entries, ["first", "finally", "first"])
    XCTAssertEqual(try value(failed.recover { _ in Promise.value(2) }), 2)
    XCTAssertEqual(try value(failed.recover(on: nil, policy: .allErrors) { _ in Promise.value(2) }), 2)
    let recovered: Guarantee<Int> = failed.recover { _ in Guarantee.value(3) }
    XCTAssertEqual(try value(recovered), 3)
    XCTAssertEqual(failed.recover(on: nil) { _ in .value(3) }.value, 3)
    assertError(failed.ensure { self.log.record("ensure") }, "first")
    assertError(failed.ensure(on: nil) { self.log.record("ensure") }, "first")
    assertError(failed.ensureThen { Guarantee().done { self.log.record("then") } }, "first")
    assertError(failed.ensureThen(on: nil) { Guarantee() }, "first")
    XCTAssertEqual(log.entries.dropFirst(3), ["ensure", "ensure", "then"])
    let void = Promise<Void>(error: Trouble.first)
    let settled: Guarantee<Void> = void.recover(on: nil) { _ in }
    XCTAssertTrue(settled.isFulfilled)
    try value(void.recover { _ in })
    let thrown: Promise<Void> = void.recover(on: nil) { _ in throw Trouble.second }
    XCTAssertEqual(thrown.error as? Trouble, .second)
    assertError(void.recover { _ in throw Trouble.second }, "second")
    assertError(void.recover(policy: .allErrors) { _ in throw Trouble.second }, "second")
  }

  func testEachResolverMethodWorks() throws {
    func made(_ body: (Resolver<Int>) -> Void) -> PromiseKit.Result<Int>? {
      let (promise, resolver) = Promise<Int>.pending()
      body(resolver)
      return promise.result
    }
    func text(_ result: PromiseKit.Result<Int>?) -> String { result.map { "\($0)" } ?? "pending" }
    XCTAssertEqual(text(made { $0.fulfill(1) }), "fulfilled(1)")
    XCTAssertEqual(text(made { $0.resolve(.fulfilled(1)) }), "fulfilled(1)")
    XCTAssertEqual(text(made { $0.resolve(Swift.Result<Int, Trouble>.success(1)) }), "fulfilled(1)")
    XCTAssertTrue(made { $0.resolve(Swift.Result<Int, Trouble>.failure(.first)) }?.isFulfilled == false)
    XCTAssertEqual(text(made { $0.resolve(Int?.some(1), nil) }), "fulfilled(1)")
    XCTAssertEqual(text(made { $0.resolve(1, nil) }), "fulfilled(1)")
    XCTAssertEqual(text(made { $0.resolve(nil, 1) }), "fulfilled(1)")
    for both in [made { $0.resolve(1, Trouble.first) }, made { $0.resolve(Trouble.first, 1) }] {
      XCTAssertTrue(text(both).hasSuffix("first)"), text(both))
    }
    XCTAssertTrue(
      text(made { $0.resolve(Int?.none, nil) }).hasPrefix("rejected(")
    )
    let handler: (Int?, Error?) -> Void
    let (promise, resolver) = Promise<Int>.pending()
    handler = resolver.resolve
    handler(4, nil)
    XCTAssertEqual(promise.value, 4)
    let (void, seal) = Promise<Void>.pending()
    try Promise { $0.fulfill_() }.wait()
    seal.resolve(nil)
    XCTAssertTrue(void.isFulfilled)
    let make: () -> (promise: Promise<Int>, resolver: Resolver<Int>) = Promise<Int>.pending
    make().resolver.reject(Trouble.first)
    assertError(Promise<Int>(Plain(Promise(error: Trouble.first))), "first")
    XCTAssertTrue(Promise().isFulfilled && Promise<Void>.value.isFulfilled)
  }

  func testEachGuaranteeOperatorWorks() throws {
    let (guarantee, resolve) = Guarantee<Int>.pending()
    let stored: (guarantee: Guarantee<Int>, resolve: (Int) -> Void) = Guarantee<Int>.pending()
    stored.resolve(1)
    XCTAssertEqual(stored.guarantee.value, 1)
    let mapped: Guarantee<String> = guarantee.map { "\($0)" }
    let thrown: Promise<Int> = guarantee.map { if $0 == 1 { throw Trouble.first } else { return $0 } }
    let followed: Promise<Int> = guarantee.then { Promise.value($0) }
    let kept: Guarantee<Int> = guarantee.get { _ in }.then { .value($0) }
    let keptHere: Guarantee<Int> = guarantee.get(on: nil) { _ in }.map(on: nil) { $0 }.then(on: nil) { .value($0) }
    guarantee.done { self.log.record("\($0)") }
    guarantee.done(on: nil) { self.log.record("here \($0)") }
    resolve(1)
    XCTAssertEqual(try value(mapped), "1")
    assertError(thrown, "first")
    XCTAssertEqual(try value(followed), 1)
    XCTAssertEqual(try value(kept), 1)
    XCTAssertEqual(keptHere.value, 1)
    XCTAssertEqual(log.entries, ["here 1", "1"])
    XCTAssertTrue(guarantee.asVoid().isFulfilled && Guarantee().isFulfilled && Guarantee<Void>.value.isFulfilled)
    XCTAssertEqual(Guarantee { $0(2) }.wait(), 2)
    XCTAssertEqual(try value(guarantee.tap { _ in }), 1)
    XCTAssertEqual(try value(guarantee.compactMap { $0 }), 1)
  }

  func testEachGlobalFunctionWorks() throws {
    XCTAssertEqual(try value(firstly { Promise.value(1) }), 1)
    let guarantee: Guarantee<Int> = firstly { Guarantee.value(1) }
    XCTAssertEqual(guarantee.value, 1)
    assertError(firstly { () -> Promise<Int> in throw Trouble.first }, "first")
    XCTAssertEqual(try hang(after(seconds: 0).then { Promise.value(5) }), 5)
    try value(after(.milliseconds(1)))
    for interval in [DispatchTimeInterval.seconds(-1), .microseconds(1), .nanoseconds(1)] { try value(after(interval)) }
    XCTAssertTrue(after(.never).isPending)
    XCTAssertEqual(race(Promise.value(1), Promise.value(2)).value, 1)
    XCTAssertEqual(race([Promise<Int>(error: Trouble.first), .value(2)]).error as? Trouble, .first)
    XCTAssertEqual(race(Guarantee.value(1), Guarantee.value(2)).value, 1)
    XCTAssertEqual(race(fulfilled: [Promise<Int>(error: Trouble.first), .value(2)]).value, 2)
    let promise = DispatchQueue.global().async(.promise) { () throws -> Int in throw Trouble.first }
    assertError(promise, "first")
    let made: Guarantee<Int> = DispatchQueue.global().async(.promise, group: DispatchGroup(), qos: .utility, flags: [])
    {
      3
    }
    XCTAssertEqual(try value(made), 3)
  }

  func testEachFormOfWhenWorks() throws {
    let (a, b, c) = (Promise.value(1), Promise.value("b"), Guarantee.value(true))
    XCTAssertEqual(when(fulfilled: [a, a]).value, [1, 1])
    XCTAssertEqual(when(fulfilled: [Promise<Int>]()).value, [])
    XCTAssertEqual(when(fulfilled: [a, b, c] as [any Thenable]).value?.count, 3)
    let both: Promise<Void> = when(fulfilled: Promise(), Promise())
    let all: Promise<Void> = when(fulfilled: [Promise(), Promise()])
    XCTAssertTrue(both.isFulfilled && all.isFulfilled)
    XCTAssertTrue(try XCTUnwrap(when(fulfilled: a, b).value) == (1, "b"))
    XCTAssertTrue(try XCTUnwrap(when(fulfilled: a, b, c).value) == (1, "b", true))
    XCTAssertTrue(try XCTUnwrap(when(fulfilled: a, b, c, a).value) == (1, "b", true, 1))
    XCTAssertTrue(try XCTUnwrap(when(fulfilled: a, b, c, a, b).value) == (1, "b", true, 1, "b"))
    XCTAssertEqual(when(fulfilled: [a, a].makeIterator(), concurrently: 1).value, [1, 1])
    XCTAssertEqual(when(resolved: a, a).value?.map(\.isFulfilled), [true, true])
    XCTAssertEqual(when(resolved: [a, Promise(error: Trouble.first)]).value?.map(\.isFulfilled), [true, false])
    XCTAssertEqual(
      when(resolved: [a, Promise(error: Trouble.first)].makeIterator(), concurrently: 1).value?.map(\.isFulfilled),
      [true, false])
    let void: Guarantee<Void> = when(Guarantee(), Guarantee())
    let voids: Guarantee<Void> = when(guarantees: [Guarantee(), Guarantee()])
    XCTAssertTrue(void.isFulfilled && voids.isFulfilled)
    let (x, y) = (Guarantee.value(1), Guarantee.value("y"))
    XCTAssertEqual(when(x, x).value, [1, 1])
    XCTAssertEqual(when(guarantees: [x, x]).value, [1, 1])
    XCTAssertTrue(try XCTUnwrap(when(guarantees: x, y).value) == (1, "y"))
    XCTAssertTrue(try XCTUnwrap(when(guarantees: x, y, x).value) == (1, "y", 1))
    XCTAssertTrue(try XCTUnwrap(when(guarantees: x, y, x, y).value) == (1, "y", 1, "y"))
    XCTAssertTrue(try XCTUnwrap(when(guarantees: x, y, x, y, x).value) == (1, "y", 1, "y", 1))
  }

  func testDeprecatedNamesStillWork() throws { try (Deprecated() as OldNames).check(self) }

  func testAsyncReturnsTheValueOrThrows() async throws {
    let one = try await Promise.value(1).async()
    let two = await Guarantee.value(2).async()
    XCTAssertEqual([one, two], [1, 2])
    do {
      try await Promise<Void>(error: PMKError.cancelled).async()
      XCTFail("a cancelled error is thrown, too")
    } catch { XCTAssertTrue(error.isCancelled) }
  }
}

/// Calls to deprecated names, behind a protocol so that the tests that make them compile without warnings.
private protocol OldNames {
  func check(_ test: PromiseKitTestCase) throws
}

private struct Deprecated: OldNames {
  @available(*, deprecated)
  func check(_ test: PromiseKitTestCase) throws {
    XCTAssertEqual(wrap { (done: (Int?, Error?) -> Void) in done(1, nil) }.value, 1)
    XCTAssertEqual(wrap { (done: (Int, Error?) -> Void) in done(1, nil) }.value, 1)
    XCTAssertEqual(wrap { (done: (Error?, Int?) -> Void) in done(nil, 1) }.value, 1)
    XCTAssertTrue(wrap { (done: (Error?) -> Void) in done(nil) }.isFulfilled)
    XCTAssertEqual(wrap { (done: (Int) -> Void) in done(1) }.value, 1)
    let numbers = Promise.value([3, 1, 2])
    XCTAssertEqual(try test.value(numbers.always { test.log.record("always") }), [3, 1, 2])
    XCTAssertEqual(numbers.filter(on: nil) { $0 > 1 }.value, [3, 2])
    XCTAssertEqual(numbers.first.value, 3)
    XCTAssertEqual(numbers.last.value, 2)
    XCTAssertEqual(numbers.sorted(on: nil).value, [1, 2, 3])
    XCTAssertEqual(test.log.entries, ["always"])
    guard case .flatMap = PMKError.flatMap(1, Int.self) else { return XCTFail("the case has another name") }
  }
}
