import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

/// Deliveries that would have nested too deep.
struct DeferredTests {
  private typealias Subject = Promise<Int, Never>

  private let log = Recorder<String>()

  private var resolved: Subject { Subject(fulfilled: 7) }

  /// Runs code inside the given number of nested callbacks, of which the innermost is on `context`.
  private func inside(
    _ callbacks: Int = 24, on context: PromiseContext = .immediate, _ body: @escaping @Sendable () -> Void
  ) {
    guard callbacks > 1 else {
      resolved.then(on: context) { _ in body() }
      return
    }
    resolved.then(on: .immediate) { _ in inside(callbacks - 1, on: context, body) }
  }

  @Test("2.7 2.16 the observers of a deferred callback's promise run before the next deferred callback")
  func depthFirst() {
    inside {
      let promise = resolved
      promise.then(on: .immediate) { _ in log.record("first") }
        .then(on: .immediate) { _ in log.record("child of the first") }
        .then(on: .immediate) { _ in log.record("grandchild of the first") }
      promise.then(on: .immediate) { _ in log.record("second") }
        .then(on: .immediate) { _ in log.record("child of the second") }
      log.record("registered")
    }
    #expect(
      log.entries == [
        "registered", "first", "child of the first", "grandchild of the first", "second", "child of the second",
      ])
  }

  @Test("2.7 2.16 work that a deferred callback defers comes before its observers and later work")
  func deferredTwice() {
    let (promise, resolver) = Subject.makeWithResolver()
    promise.then(on: .immediate) { _ in log.record("resolved") }
    inside {
      resolved.then(on: .immediate) { _ in
        log.record("first")
        resolved.then(on: .immediate) { _ in log.record("inner 1") }
          .then(on: .immediate) { _ in log.record("child of inner 1") }
        resolver.fulfill(with: 7)
        resolved.then(on: .immediate) { _ in log.record("inner 2") }
      }
      .then(on: .immediate) { _ in log.record("child of the first") }
      resolved.then(on: .immediate) { _ in log.record("second") }
    }
    #expect(
      log.entries == ["first", "inner 1", "child of inner 1", "resolved", "inner 2", "child of the first", "second"])
  }

  @Test("2.16 deferred deliveries and deferred callbacks run in the order of the calls")
  func orderOfCalls() {
    let (promise, resolver) = Subject.makeWithResolver()
    promise.then(on: .immediate) { _ in log.record("resolved") }
    inside {
      resolved.then(on: .immediate) { _ in log.record("before") }
      resolver.fulfill(with: 7)
      resolved.then(on: .immediate) { _ in log.record("after") }
    }
    #expect(log.entries == ["before", "resolved", "after"])
  }

  @Test("2.7 2.16 deferred callbacks run before the next observer of the promise that is delivered")
  func beforeNextObserver() {
    let (promise, resolver) = Subject.makeWithResolver()
    for name in ["a", "b", "c"] {
      promise.then(on: .immediate) { _ in
        log.record(name)
        for deferred in ["1", "2"] { resolved.then(on: .immediate) { _ in log.record(name + deferred) } }
      }
      .then(on: .immediate) { _ in log.record("child of \(name)") }
    }
    inside { resolver.fulfill(with: 7) }
    #expect(log.entries == ["a", "b", "c"].flatMap { [$0, $0 + "1", $0 + "2", "child of \($0)"] })
  }

  @Test("2.9 2.16 isExecutingNow is false in work that a callback defers")
  func isExecutingNow() {
    let (promise, resolver) = Subject.makeWithResolver()
    @Sendable func ask(_ name: String) { log.record("\(name) \(PromiseContext.isExecutingNow)") }
    promise.then(on: .immediate) { _ in ask("registered elsewhere") }
    inside(on: .nowOr(.main)) {
      resolver.fulfill(with: 7)
      resolved.then(on: .immediate) { _ in ask("deferred") }
        .then(on: .immediate) { _ in ask("child") }
      resolved.then(on: .nowOr(.main)) { _ in ask("deferred, now or later") }
      ask("callback")
    }
    #expect(
      log.entries == [
        "callback true", "registered elsewhere false", "deferred false", "child false", "deferred, now or later false",
      ])
  }
}
