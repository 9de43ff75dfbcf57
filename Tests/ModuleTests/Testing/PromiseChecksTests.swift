import Dispatch
import Overmorrow
import OvermorrowTesting
import Testing

/// `CheckingTests`, in the core's tests, covers what is and is not reported.
@Suite(.inTurn, .expectsIssues) struct PromiseChecksTests {
  private typealias Subject = Promise<Int, Flaw>

  @Test("16.9 a leaked promise fails the test, with the place where it was made")
  func neverResolved() {
    let leak = Recorder<Subject.Resolver>()
    let line = #line + 4
    expectIssue {
      withPromiseChecks(line: 1234) {
        // The reported location is the next line.
        let (promise, resolver) = Subject.makeWithResolver()
        promise.then(on: .immediate) { _ in leak.record(resolver) }
        leak.record(resolver)
      }
    } matching: { issue in
      issue.sourceLocation?.line == 1234 && self.says(issue, "never resolved", line)
    }
    leak.entries.first?.cancel()
  }

  @Test("16.9 an unobserved failure fails the test, with its first promise's place")
  func unobserved() async {
    let line = #line + 3
    await expectIssue {
      await withPromiseChecks(patience: .zero) {
        let promise = Promise<Int, any Error>(on: .immediate) { $0.fulfill(with: 1) }
        await Task.yield()
        promise.map(on: .immediate) { _ in throw PromiseWaitError.timedOut }.then(on: .immediate) {}
      }
    } matching: {
      self.says($0, "no code read the error", line)
    }
  }

  @Test("16.14 checks that find a pending promise say what it waits for")
  func waiting() {
    let kept = Recorder<Subject.Resolver>()
    let messages = Recorder<String>()
    expectIssue {
      withPromiseChecks { for _ in 0..<2 { kept.record(Subject.makeWithResolver().1) } }
    } matching: {
      messages.record("\($0)")
      return true
    }
    #expect(messages.entries.filter { $0.contains("2 promises are pending.\n#") }.count == 1)
    for resolver in kept.entries { resolver.cancel() }
  }

  private func says(_ issue: Issue, _ text: String, _ line: Int) -> Bool {
    #if os(Linux)
      "\(issue)".contains(text)
        && "\(issue)".contains("made at ModuleTests/PromiseChecksTests.swift:\(line)")
    #else
      "\(issue)".contains(text)
    #endif
  }

  @Test("16.10 a resolved promise that is retained fails a test that checks for leaks")
  func leak() async {
    let kept = Recorder<Subject>()
    await expectIssue("a promise is still in memory") {
      withPromiseChecks(leaks: true) { kept.record(Subject(fulfilled: 1)) }
      await withPromiseChecks(patience: .zero, leaks: true) {
        await Task.yield()
        kept.record(Subject(fulfilled: 1))
      }
    }
    kept.removeAll()
    withPromiseChecks(leaks: true) { _ = Subject(fulfilled: 1) }
  }

  @Test("16.11 work that is in progress when the closure returns is given time to end")
  func patience() async {
    let start = DispatchSemaphore(value: 0)
    await withPromiseChecks(patience: .seconds(60)) {
      Subject(on: .utility) { resolver in
        start.wait()
        resolver.reject(with: "no")
      }.then(on: .userInitiated) { _ in }.catch(on: .utility) { _ in }
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { start.signal() }
    }
  }

  @Test("16.9 the closure's result, error and isolation are preserved")
  @MainActor func transparent() async throws {
    var count = 0
    #expect(withPromiseChecks { 7 } == 7)
    let text = await withPromiseChecks {
      MainActor.assertIsolated()
      count += 1
      await Task.yield()
      return "seven"
    }
    #expect(text == "seven")
    #expect(count == 1)
    #expect(throws: CancellationError.self) { try withPromiseChecks { throw CancellationError() } }
    await #expect(throws: CancellationError.self) {
      try await withPromiseChecks {
        await Task.yield()
        throw CancellationError()
      }
    }
  }

  @Test("16.12 the waits, clocks and contexts of this module cause no report", .checkedPromises)
  func ownPromises() async {
    let (clock, context) = (TestClock(), ManualContext())
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.waitForSleepers(1)
    context.enqueue {}
    await context.waitForWork()
    context.runAll()
    await clock.run()
    _ = await sleeper.result
    await expectFulfilled(Subject(on: .utility, fulfilled: 1, after: .zero), within: .seconds(60))
  }
}

@Suite(.inTurn, .expectsIssues, .checkedPromises(patience: .milliseconds(1))) struct CheckedPromisesTraitTests {
  @Test("16.9 all tests of a suite with the trait are checked", arguments: 1...3)
  func clean(number: Int) {
    expectFulfilled(Promise<Int, Never>(fulfilled: number))
  }

  @Test("16.9 the trait on a test fails it for an unobserved error")
  func trait() async throws {
    let trait = CheckedPromisesTrait.checkedPromises(patience: .milliseconds(1))
    let test = try #require(Test.current)
    try await expectIssue("no code read the error") {
      try await trait.provideScope(for: test, testCase: Test.Case.current) { _ = Promise<Int, Flaw>(rejected: "no") }
    }
    #expect(trait.isRecursive)
  }
}
