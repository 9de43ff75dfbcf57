import Dispatch
import Overmorrow
import OvermorrowTesting
import Testing

/// The mistakes that a checked scope reports, and correct code that it must not report.
@Suite(.heavy) struct CheckingTests {
  private typealias Subject = Promise<Int, Reason>

  private static let unobserved = [PromiseDiagnostic.failureUnobserved(origin: nil)]
  private static let unresolved = [PromiseDiagnostic.neverResolved(origin: nil)]

  /// Returns the mistakes with the promises that `body` makes.
  private func findings(_ body: () throws -> Void) rethrows -> [PromiseDiagnostic] {
    try PromiseDiagnostics.checking(body).diagnostics.map(\.withoutPlace)
  }

  @Test("15.8 15.10 a finding has the place of its promise or of the chain's start")
  func places() {
    let lines = (resolver: #line + 3, rejected: #line + 4, kept: #line + 5)
    let kept = Holder<Subject>()
    let found = PromiseDiagnostics.checking(leaks: true) {
      let (promise, resolver) = Subject.makeWithResolver()
      Subject(rejected: "no").map(on: .immediate) { $0 }.then(on: .immediate) { _ in }
      kept.value = Subject(fulfilled: 1)
      return (promise, resolver)
    }
    #expect(
      withExtendedLifetime(found.result) { Set(found.diagnostics) } == [
        .neverResolved(origin: "\(#fileID):\(lines.resolver)"),
        .failureUnobserved(origin: "\(#fileID):\(lines.rejected)"),
        .leaked(origin: "\(#fileID):\(lines.kept)"),
      ])
  }

  // MARK: Unobserved errors

  @Test("15.3 an error that no callback receives is reported once for each origin")
  func unseen() {
    typealias Throwing = Promise<Int, any Error>
    let kept = Holder<Subject>()
    expectUnobserved("released") { _ = Subject(rejected: "no") }
    expectUnobserved("released before the rejection") { Subject.makeWithResolver().1.reject(with: "no") }
    expectUnobserved("kept") { kept.value = Subject(rejected: "no") }
    expectUnobserved("passed on") { Subject(rejected: "no").map(on: .immediate) { $0 }.then(on: .immediate) { _ in } }
    expectUnobserved("passed on three times") {
      let promise = Subject(rejected: "no")
      for _ in 0..<3 { promise.then(on: .immediate) { _ in } }
    }
    expectUnobserved("delayed") { _ = Subject(rejected: "no").delay(on: .immediate, .zero, clock: TestClock()) }
    expectUnobserved("thrown") { Throwing(fulfilled: 1).then(on: .immediate) { _ in throw Refusal.first } }
    expectUnobserved("of the promise that a callback returns") {
      _ = Subject(fulfilled: 1).flatMap(on: .immediate) { _ in Subject(rejected: "no") }
    }
    expectUnobserved("adopted") { _ = Subject(on: .immediate) { $0.resolve(with: Subject(rejected: "no")) } }
    expectUnobserved("a timeout") {
      let (promise, resolver) = Subject.makeWithResolver()
      _ = promise.timeout(on: .immediate, .zero)
      resolver.cancel()
    }
    #expect(findings { for _ in 0..<2 { _ = Subject(rejected: "no").makeChild() } }.count == 2)
  }

  private func expectUnobserved(_ error: String, _ body: () -> Void) {
    let found = findings(body)
    #expect(found == Self.unobserved, "\(error): \(found)")
  }

  @Test("15.3 an error counts as seen when a callback of one chain receives it")
  func observers() {
    ErrorObservation.check { findings($0) }
  }

  @Test("15.25 CancellationError and ownerDeallocated are not reported, and other errors are")
  func notWanted() {
    typealias Throwing = Promise<Int, any Error>
    let kept = Recorder<Throwing>()
    let notWanted: [any Error] = [CancellationError(), PromiseError.ownerDeallocated]
    let wanted: [any Error] = [PromiseError.callbackWithoutResult, Refusal.first]
    for (errors, expected) in [(notWanted, []), (wanted, Self.unobserved)] {
      for error in errors {
        #expect(findings { _ = Throwing(rejected: error) } == expected, "\(error), gone")
        #expect(findings { kept.record(Throwing(rejected: error)) } == expected, "\(error), kept")
        let passedOn = findings { Throwing(rejected: error).map(on: .immediate) { $0 }.then(on: .immediate) { _ in } }
        #expect(passedOn == expected, "\(error), passed on")
      }
    }
    #expect(findings { _ = Promise<Int, Int>(rejected: 1) } == Self.unobserved)
  }

  @Test("15.2 15.5 correct code is not reported in a scope")
  func correctCode() {
    for correctCode in CorrectCode.discardedErrors + CorrectCode.resolvers + [CorrectCode.droppedBody] {
      let found = findings(correctCode.make)
      #expect(found == [], "\(correctCode.name): \(found)")
    }
    #expect(findings { _ = Subject.makeWithResolver() } == [])
  }

  @Test("15.5 a failure is not reported while a step that handles it may still run")
  func queued() {
    let context = ManualContext()
    let findings = findings {
      let promise = Subject(rejected: "no")
      promise.map(on: .immediate) { $0 }.then(on: .immediate) { _ in }
      promise.then(on: .immediate) { _ in }.catch(on: context.context) { _ in }
    }
    #expect(findings == [])
    context.runAll()
  }

  // MARK: Promises that never resolve

  @Test("15.2 a promise whose resolver a cycle retains is reported once, without its children")
  func cycle() {
    let leak = Holder<Subject.Resolver>()
    let found = findings {
      let (promise, resolver) = Subject.makeWithResolver()
      leak.value = resolver
      _ = promise.map(on: .immediate) { $0 }.then(on: .immediate) { [leak] _ in _ = leak }
      _ = Subject(on: .immediate) { $0.resolve(with: promise) }
    }
    #expect(found == Self.unresolved)
    leak.value?.cancel()
  }

  // MARK: Leaks

  @Test("15.4 a resolved promise retained by a cycle is a leak if leaks are checked")
  func leaks() {
    final class Node: Sendable {
      let promise = Holder<Promise<Node, Reason>>()
    }
    let last = Holder<Node>()
    func makeCycle() {
      let node = Node()
      node.promise.value = Promise<Node, Reason>(fulfilled: node).map(on: .immediate) { $0 }.makeChild()
      last.value = node
    }
    #expect(findings { makeCycle() } == [])
    last.value?.promise.value = nil
    let found = PromiseDiagnostics.checking(leaks: true) {
      makeCycle()
      Subject(rejected: "no").map(on: .immediate) { $0 }.catch(on: .immediate) { _ in }
    }.diagnostics
    #expect(found.map(\.withoutPlace) == [.leaked(origin: nil)])
    last.value?.promise.value = nil
  }

  @Test("15.6 the body of a promise belongs to its scope on any thread")
  func bodies() {
    let context = ManualContext()
    #expect(
      findings {
        _ = Subject(on: context.context) { resolver in
          _ = Subject(rejected: "no")
          resolver.cancel()
        }
        context.runAll()
      } == Self.unobserved)
    let elsewhere = ElsewhereExecutor()
    #expect(
      findings {
        let promise = Promise<Int, any Error>(on: .executor(elsewhere)) { _ in
          _ = Subject(rejected: "no")
          throw Refusal.first
        }
        promise.catch(on: .immediate) { _ in }
      } == Self.unobserved)
  }

  // MARK: Scopes

  @Test("15.6 a scope's callbacks belong to it on any thread, and outside promises do not")
  func belonging() async throws {
    let outside = Subject(rejected: "no")
    let (promise, resolver) = Subject.makeWithResolver()
    let leaks = Recorder<(Subject, Subject.Resolver)>()
    let done = Latch()
    let found = try await onOwnThread("the checks") { () -> [PromiseDiagnostic] in
      PromiseDiagnostics.checking {
        outside.then(on: .immediate) { _ in }
        promise.then(on: .immediate) { _ in }
        let elsewhere = DispatchSemaphore(value: 0)
        let step = Subject(fulfilled: 1).then(on: .utility) { _ in
          leaks.record(Subject.makeWithResolver())
          DispatchQueue.global().async { elsewhere.signal() }
        }
        elsewhere.wait()
        step.tap(on: .immediate) { _ in done.signal() }
      }.diagnostics
    }
    await done.wait(for: "the step on a queue")
    #expect(found.map(\.withoutPlace) == Self.unresolved)
    resolver.reject(with: "no")
    leaks.removeAll()
  }

  @Test("15.6 scopes nest and run concurrently, and a promise belongs to the innermost")
  func nested() async {
    let outer = findings {
      #expect(findings { _ = Subject(rejected: "inner") } == Self.unobserved)
      #expect(findings {} == [])
      _ = Subject(rejected: "outer")
    }
    #expect(outer == Self.unobserved)
    await withTaskGroup(of: Int.self) { group in
      for count in 0..<20 {
        group.addTask {
          PromiseDiagnostics.checking { for _ in 0..<count { _ = Subject(rejected: "no") } }.diagnostics.count
        }
      }
      #expect(await group.reduce(0, +) == (0..<20).reduce(0, +))
    }
  }

  @Test("15.17 an error adopted by a promise of another scope belongs to that promise")
  func crossing() {
    let outside = Subject(rejected: "no")
    let line = #line + 2
    let found = PromiseDiagnostics.checking {
      let (promise, resolver) = Subject.makeWithResolver()
      #expect(findings { resolver.resolve(with: Subject(rejected: "no")) } == [])
      promise.then(on: .immediate) { _ in }
      Subject(fulfilled: 1).flatMap(on: .immediate) { _ in outside }.catch(on: .immediate) { _ in }
    }.diagnostics
    #expect(found == [.failureUnobserved(origin: "\(#fileID):\(line)")])
  }

  @Test("15.7 a closure that throws ends the checks, and its error is rethrown")
  func throwing() {
    #expect(throws: Refusal.second) { try findings { throw Refusal.second } }
    #expect(findings {} == [])
  }

  @Test("11.1 a checked chain of 30,000 steps fits on a small stack")
  func long() async throws {
    let found = try await onOwnThread("a long chain") { () -> [PromiseDiagnostic] in
      PromiseDiagnostics.checking {
        for ending in Ending.allCases {
          let (promise, resolver) = Subject.makeWithResolver()
          var last = promise
          for _ in 0..<scaled(30_000) { last = last.map(on: .immediate) { $0 } }
          last.always(on: .immediate) { _ in }
          resolver.resolve(with: ending.result(1, "no"))
        }
      }.diagnostics
    }
    #expect(found == [])
  }

  @Test("15.6 promises of an ended scope deliver failures once on other threads")
  func races() async {
    await race(
      rounds: 2000,
      { () -> (Subject, Subject.Resolver, Recorder<Int>) in
        let made = PromiseDiagnostics.checking { Subject.makeWithResolver() }.result
        return (made.0, made.1, Recorder<Int>())
      },
      { $0.1.reject(with: "no") },
      { round in round.0.catch(on: .immediate) { _ in round.2.record(1) } },
      { round in _ = round.0.map(on: .immediate) { $0 }.result },
      check: { $0.2.entries == [1] ? nil : "caught \($0.2.entries.count) times" })
  }

  @Test("15.8 each diagnostic says what happened and, if known, where")
  func descriptions() {
    #expect(
      "\(PromiseDiagnostic.neverResolved(origin: "A.swift:7"))".hasSuffix("never resolved; it was made at A.swift:7"))
    #expect(
      "\(PromiseDiagnostic.failureUnobserved(origin: nil))" == "a promise was rejected, and no code read the error")
    #expect("\(PromiseDiagnostic.leaked(origin: nil))" == "a promise is still in memory")
    #expect("\(PromiseDiagnostic.resolverDropped())".contains("resolver"))
    #expect("\(PromiseDiagnostic.resolvedWithItself())".contains("itself"))
  }
}
