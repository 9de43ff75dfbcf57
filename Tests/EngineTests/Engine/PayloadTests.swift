import Overmorrow
import OvermorrowTesting
import Testing

private struct Twenty: Equatable, Sendable {
  var a: UInt32 = 1, b: UInt32 = 2, c: UInt32 = 3, d: UInt32 = 4, e: UInt32 = 5
}

private struct Hundred: Equatable, Sendable {
  var one = Twenty(), two = Twenty(a: 6), three = Twenty(b: 7), four = Twenty(c: 8), five = Twenty(e: 9)
}

extension Tracker.Tracked: Equatable {
  /// Compares identities.
  package static func == (left: Tracker.Tracked, right: Tracker.Tracked) -> Bool { left === right }
}

private indirect enum Tree: Equatable, Sendable {
  case leaf(Tracker.Tracked)
  case node(Tree, UInt8, Tree)
}

/// Too large for an existential to hold without a box.
private struct Bulky: Equatable, Sendable {
  var bytes = Hundred()
  var object: Tracker.Tracked
}

/// Aligned more strictly than a word, and with something to count.
private struct Aligned: Equatable, Sendable {
  var vector = SIMD16<Double>(repeating: 1.5)
  var object: Tracker.Tracked
  var byte: UInt8 = 7
}

/// A type that cannot be moved by copying its bytes, because the runtime records the address of a weak reference.
private struct Weakly: @unchecked Sendable {
  // Sendable because the runtime reads weak references atomically, and this one is never written again.
  weak var object: Tracker.Tracked?
  let kept: Tracker.Tracked

  init(_ object: Tracker.Tracked) {
    self.object = object
    kept = object
  }
}

private protocol Named: AnyObject, Sendable {}
extension Tracker.Tracked: Named {}

/// A value of some type that the tests send through promises in every way.
private struct Payload: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Sends the value through promises, and returns the ways in which a different value came out.
  let sendRound: @Sendable (Tracker) -> [String]
  /// Releases promises of the value at every stage of their life.
  let drop: @Sendable (Tracker) -> Void

  init<V: Sendable>(
    _ name: String, _ make: @escaping @Sendable (Tracker) -> V, _ equal: @escaping @Sendable (V, V) -> Bool
  ) {
    testDescription = name
    sendRound = { Payload.sendRound(make($0), equal) }
    drop = { tracker in Payload.drop { make(tracker) } }
  }

  init<V: Sendable & Equatable>(_ name: String, _ value: V) { self.init(name, { _ in value }, ==) }

  init<V: Sendable & Equatable>(_ name: String, making make: @escaping @Sendable (Tracker) -> V) {
    self.init(name, make, ==)
  }

  // MARK: Delivery

  /// Sends a value through promises in every way, and returns the ways in which a different value came out.
  private static func sendRound<V: Sendable>(_ value: V, _ equal: @escaping @Sendable (V, V) -> Bool) -> [String] {
    var wrong: [String] = []
    func check<F>(_ way: String, _ promise: Promise<V, F>) {
      guard case .value(let first) = promise.result, case .value(let second) = promise.result, equal(first, value),
        equal(second, value)
      else { return wrong.append(way) }
    }
    func check(error way: String, _ promise: Promise<Int, V>) {
      guard case .error(let error) = promise.result, equal(error, value) else { return wrong.append(way) }
    }
    let executor = ManualContext()

    check("fulfilled", Promise<V, Reason>(fulfilled: value))
    check(error: "rejected", Promise(rejected: value))
    check("beside a larger failure", Promise<V, Hundred>(fulfilled: value))
    check("body", Promise<V, Reason>(on: .immediate) { $0.fulfill(with: value) })
    check("map into", Promise<Int, Reason>(fulfilled: 1).map(on: .immediate) { _ in value })
    check("map from and into", Promise<V, Reason>(fulfilled: value).map(on: .immediate) { $0 })
    check("flatMap", Promise<Int, Reason>(fulfilled: 1).flatMap(on: .immediate) { _ in Promise(fulfilled: value) })
    check("recover", Promise<V, V>(rejected: value).recover(on: .immediate) { $0 })
    check(error: "mapError", Promise<Int, V>(rejected: value).mapError(on: .immediate) { $0 })
    check(
      error: "flatMapError", Promise<Int, V>(rejected: value).flatMapError(on: .immediate) { Promise(rejected: $0) })
    check("mapResult", Promise<V, Reason>(fulfilled: value).mapResult(on: .immediate) { $0 })
    check("makeChild", Promise<V, Reason>(fulfilled: value).makeChild())
    check("delayed", LazyPromise<V, Reason>(on: .immediate) { $0.fulfill(with: value) }.promise)
    let token = PromiseInvalidationToken()
    check("with a token", Promise<V, Reason>(fulfilled: value).map(on: .immediate, token: token) { $0 })

    let (later, resolver) = Promise<V, V>.makeWithResolver()
    let (adopter, adopting) = Promise<V, V>.makeWithResolver()
    adopting.resolve(with: later)
    let observed = PromiseAdapter.observeValue(later, on: executor.context, token: nil) { _ in nil }
    let chain = PromiseAdapter.transformValue(observed, on: .immediate, token: nil) { .value($0) }
      .always(on: .immediate) { _ in }
    let seen = Holder<Bool>()
    later.tap(on: .immediate) { seen.value = $0.value.map { equal($0, value) } }
    resolver.fulfill(with: value)
    executor.runAll()
    check("later", later)
    check("adopted", adopter)
    check("chain", chain)
    if seen.value != true { wrong.append("callback") }

    let (failing, failingResolver) = Promise<Int, V>.makeWithResolver()
    let caught = Holder<Bool>()
    failing.catch(on: .immediate) { caught.value = equal($0, value) }
    failingResolver.reject(with: value)
    check(error: "rejected later", failing)
    if caught.value != true { wrong.append("catch") }
    return wrong
  }

  /// Makes promises of a value, and callbacks that retain one, and releases them at every stage of their life.
  private static func drop<V: Sendable>(_ make: @escaping @Sendable () -> V) {
    let executor = ManualContext()
    func callback<T>() -> @Sendable (T) -> Void {
      let value = make()
      return { _ in withExtendedLifetime(value) {} }
    }
    // Resolved, but never read.
    _ = Promise<V, Reason>(fulfilled: make())
    _ = Promise<Int, V>(rejected: make())
    // A second call to resolve has no effect.
    let (promise, resolver) = Promise<V, V>.makeWithResolver()
    resolver.fulfill(with: make())
    resolver.fulfill(with: make())
    resolver.reject(with: make())
    resolver.resolve(with: Promise(fulfilled: make()))
    // The callback runs, does not run, is submitted and dropped, or is suppressed.
    promise.always(on: .immediate, callback())
    promise.catch(on: .immediate, callback())
    let dropped: @Sendable (PromiseResult<V, V>) -> Void = callback()
    _ = promise.mapResult(on: executor.context) { result in
      dropped(result)
      return result
    }
    executor.dropAll()
    let token = PromiseInvalidationToken()
    promise.always(on: executor.context, token: token, callback())
    token.invalidate()
    executor.runAll()
    // Never resolved, with callbacks and cancel handlers, asked to cancel and adopted.
    let (pending, pendingResolver) = Promise<V, Reason>.makeWithResolver()
    pendingResolver.onRequestCancel(on: .immediate, callback())
    let (adopter, adopting) = Promise<V, Reason>.makeWithResolver()
    adopting.resolve(with: pending.map(on: .immediate) { $0 })
    adopter.then(on: .immediate, callback())
    adopter.requestCancel()
    // Retained by a chain whose steps have all been released.
    _ = Promise<V, Reason>(fulfilled: make()).map(on: .immediate) { $0 }.makeChild().tap()
  }

  // MARK: Values

  static let plain: [Payload] = [
    Payload("one byte", UInt8(0xA5)), Payload("bool", true),
    Payload("optional byte", UInt8?.some(0)), Payload("optional that is nil", Int?.none),
    Payload("optional in an optional", Int??.some(.none)), Payload("nine bytes", Int?.some(0x0123_4567_89AB_CDEF)),
    Payload("sixteen bytes", -1..<0x0123_4567_89AB_CDEF), Payload("one hundred bytes", Hundred()),
    Payload("thirty words", Large(first: 1, last: 2)), Payload("sixteen doubles", SIMD16<Double>(repeating: 1.5)),
    Payload("aligned to 16", SIMD4<Float>(1, 2, 3, 4)), Payload("128 bits", UInt128.max - 1),
    Payload("small string", "small"), Payload("large string", String(repeating: "large", count: 20)),
    Payload("array", [1, 2, 3]), Payload("dictionary", ["one": 1]),
    Payload("enum", PromiseResult<Int, String>.error("no")),
    Payload("no value", { _ in () }, { _, _ in true }), Payload("tuple", { _ in (UInt8(1), 2, true) }, ==),
  ]

  #if compiler(>=6.3)
    static let metatypes = [Payload("metatype", { _ in Int.self as any Any.Type }, ==)]
  #else
    // An assertion of Swift 6.2's compiler fails on a generic call with a metatype.
    static let metatypes: [Payload] = []
  #endif

  static let counted: [Payload] = [
    Payload("class") { $0.make() }, Payload("optional object") { Optional($0.make()) },
    Payload("array of objects") { [$0.make(), $0.make()] },
    Payload("enum with objects") { Tree.node(.leaf($0.make()), 7, .node(.leaf($0.make()), 8, .leaf($0.make()))) },
    Payload("aligned, with an object") { Aligned(object: $0.make()) },
    Payload("promise") { Promise<Tracker.Tracked, Reason>(fulfilled: $0.make()) },
    Payload("result") { PromiseResult<Tracker.Tracked, Int>.value($0.make()) },
    Payload("tuple with objects", { ($0.make(), UInt8(7), $0.make()) }, ==),
    Payload("class-bound existential", { $0.make() as any Named }, { $0 === $1 }),
    Payload("any object", { $0.make() as any AnyObject & Sendable }, { $0 === $1 }),
    Payload("existential", { $0.make() as any Sendable }, { $0 as? Tracker.Tracked == $1 as? Tracker.Tracked }),
    Payload("large existential", { Bulky(object: $0.make()) as any Sendable }, { $0 as? Bulky == $1 as? Bulky }),
    Payload("error", { Carrier(object: $0.make()) as any Error }, { $0 as? Carrier == $1 as? Carrier }),
    Payload("closure", { closure(returning: $0.make()) }, { $0() == $1() }),
    Payload(
      "weak reference", { Weakly($0.make()) },
      { $0.object === $1.kept && $0.kept === $1.object && $0.object != nil }),
  ]
}

private func closure(returning object: Tracker.Tracked) -> @Sendable () -> Tracker.Tracked { { object } }

private struct Carrier: Error, Equatable {
  let object: Tracker.Tracked
}

@Suite(.inTurn) struct PayloadTests {
  @Test(
    "1.2 1.18 values of every size, alignment and kind are delivered unchanged and without leaks",
    arguments: Payload.plain + Payload.metatypes + Payload.counted)
  private func comesOut(payload: Payload) {
    let tracker = Tracker()
    #expect(payload.sendRound(tracker) == [])
    #expect(tracker.count == 0)
    payload.drop(tracker)
    #expect(tracker.count == 0)
  }

  @Test("1.2 a promise of Never can only fail or be cancelled", arguments: [Ending.error, .cancelled])
  func never(ending: Ending) {
    let (promise, resolver) = Promise<Never, Reason>.makeWithResolver()
    let child = promise.then(on: .immediate) { _ in }
    if ending == .error { resolver.reject(with: "no") } else { resolver.cancel() }
    #expect(child.result?.error == (ending == .error ? "no" : nil))
    #expect(child.result?.isCancelled == (ending == .cancelled))
  }
}
