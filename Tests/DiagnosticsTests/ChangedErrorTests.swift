import Overmorrow
import OvermorrowFlow
import OvermorrowTesting
import Testing

/// Errors that a callback makes from an error. No code reads the new error in the programs with a mistake.
private enum ChangedErrors {
  typealias Subject = Promise<Int, Reason>

  /// Operators whose closures make another error from the error of a promise.
  static let changes: [(name: String, make: @Sendable (Subject) -> Subject)] = [
    ("mapError", { $0.mapError(on: .immediate) { _ in "new" as Reason } }),
    ("recover", { $0.recover(on: .immediate) { _ throws(Reason) in throw "new" } }),
    ("mapResult", { $0.mapResult(on: .immediate) { _ in .error("new") } }),
    ("mapError twice", { $0.mapError(on: .immediate) { $0 }.mapError(on: .immediate) { _ in "new" as Reason } }),
  ]

  /// Promises that take over the error of a promise.
  static let followers: [(name: String, make: @Sendable (Subject) -> Subject)] = [
    ("none", { $0 }),
    ("a step and a child", { $0.map(on: .immediate) { $0 }.makeChild() }),
    ("flatMap", { promise in Subject(fulfilled: 1).flatMap(on: .immediate) { _ in promise } }),
    ("flatMapError", { promise in Subject(rejected: "no").flatMapError(on: .immediate) { _ in promise } }),
    ("a body", { promise in Subject(on: .immediate) { $0.resolve(with: promise) } }),
    (
      "a resolver",
      { promise in
        let (adopter, resolver) = Subject.makeWithResolver()
        resolver.resolve(with: promise)
        return adopter.map(on: .immediate) { $0 }
      }
    ),
    (
      "two branches",
      { promise in
        _ = promise.map(on: .immediate) { $0 }
        return promise.delay(on: .immediate, .zero, clock: TestClock())
      }
    ),
  ]

  /// Code that reads the new error, before or after the rejection.
  static let readers: [@Sendable (Subject) -> Void] = [
    { $0.catch(on: .immediate) { _ in } },
    { $0.then(on: .immediate) { _ in }.always(on: .immediate) { _ in } },
    { _ = $0.mapError(on: .immediate) { $0 } },
    { when(fulfilled: [$0]).catch(on: .immediate) { _ in } },
  ]

  /// Code that reads the new error only after the rejection.
  static let lateReaders: [@Sendable (Subject) -> Void] = [
    { _ = $0.result },
    { _ = when(fulfilled: [$0]).result },
  ]

  /// Calls a closure with a rejected promise, or with one that is rejected afterwards.
  static func reject(later: Bool, _ body: (Subject) -> Void) {
    if !later { return body(Subject(rejected: "no")) }
    let (promise, resolver) = Subject.makeWithResolver()
    body(promise)
    resolver.reject(with: "no")
  }

  /// Checks the findings for each way to change an error and to take it over.
  static func check(_ findings: (() -> Void) -> [PromiseDiagnostic]) {
    for change in changes {
      for follower in followers {
        for later in [false, true] {
          let name = "\(change.name), \(follower.name), later: \(later)"
          let lost = findings { reject(later: later) { _ = follower.make(change.make($0)) } }
          #expect(lost.count == 1 && lost.allSatisfy(\.isUnobserved), "\(name): \(lost)")
          let readers = later ? readers + [{ $0.requestCancel() }] : readers + lateReaders
          for (index, read) in readers.enumerated() {
            let found = findings { reject(later: later) { read(follower.make(change.make($0))) } }
            #expect(found == [], "\(name), reader \(index): \(found)")
          }
        }
      }
    }
  }
}

extension PromiseDiagnostic {
  fileprivate var isUnobserved: Bool { if case .failureUnobserved = self { true } else { false } }
}

@Suite(.heavy) struct ChangedErrorTests {
  @Test("15.3 15.5 15.60 in a scope, the new error of a callback is found once, unless read")
  func scope() {
    ChangedErrors.check { PromiseDiagnostics.checking($0).diagnostics }
  }

  @Test("15.60 a new error has the place of its chain, unlike an equal one")
  func place() {
    typealias Subject = ChangedErrors.Subject
    let found = PromiseDiagnostics.checking {
      _ = Subject(rejected: "no").mapError(on: .immediate) { _ in 2 }.mapError(on: .immediate) { $0 }
      _ = Subject(rejected: "no").mapResult(on: .immediate) { $0 }
      _ = Promise<Int, any Error>(rejected: Refusal.first).mapError(on: .immediate) { $0 as! Refusal }
    }.diagnostics
    #expect(found == [], "a later mapError reads the error")
    let line = #line + 2
    let lost = PromiseDiagnostics.checking {
      _ = Subject(rejected: "no").mapError(on: .immediate) { _ in 2 }
    }.diagnostics
    #expect(lost == [.failureUnobserved(origin: "\(#fileID):\(line)")])
  }
}

#if os(macOS) || os(Linux)
  /// The tests run in their own process, because the level and the handler are global.
  @Suite(.heavy, .enabled(if: isLevelUnset)) struct ChangedErrorReportTests {
    @Test("15.10 15.13 15.60 the new error of a callback is reported once, unless read")
    func reported() async {
      await #expect(processExitsWith: .success) {
        ChangedErrors.check { body in reports(body) }
      }
    }
  }
#endif
