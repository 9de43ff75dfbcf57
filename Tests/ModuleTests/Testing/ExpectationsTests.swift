import Overmorrow
import OvermorrowTesting
import Testing

@Suite(.inTurn, .expectsIssues) struct ExpectationsTests {
  private typealias Subject = Promise<Int, Flaw>

  private let fulfilled = Subject(fulfilled: 1)
  private let rejected = Subject(rejected: "no")
  private let cancelled = Subject(with: .cancelled)

  @Test("16.7 an expectation that holds returns the promise's result")
  func hold() {
    let (pending, resolver) = Subject.makeWithResolver()
    #expect(expectFulfilled(fulfilled) == 1)
    #expect(expectRejected(rejected) == "no")
    expectCancelled(cancelled)
    expectPending(pending)
    withExtendedLifetime(resolver) {}
  }

  @Test("16.7 an expectation that does not hold fails the test at its own line")
  func fail() {
    let (pending, resolver) = Subject.makeWithResolver()
    let checks: [(text: String, check: (UInt) -> Void)] = [
      ("(error(no)) to be fulfilled", { expectFulfilled(rejected, line: $0) }),
      ("(cancelled) to be rejected", { expectRejected(cancelled, line: $0) }),
      ("(unresolved) to be cancelled", { expectCancelled(pending, line: $0) }),
      ("(value(1)) to be unresolved", { expectPending(fulfilled, line: $0) }),
    ]
    for (line, (text, check)) in zip(1000..., checks) {
      expectIssue {
        check(UInt(line))
      } matching: { issue in
        "\(issue)".contains(text) && issue.sourceLocation?.line == line
          && issue.sourceLocation?.fileName == "ExpectationsTests.swift"
      }
    }
    withExtendedLifetime(resolver) {}
  }

  @Test("16.19 an expectation that fails in a callback elsewhere fails the test of its checks")
  func elsewhere() async {
    await expectIssue {
      await withPromiseChecks {
        let step = Promise<Int, Never>(fulfilled: 1).map(on: .utility) { _ in
          expectPending(Promise<Int, Never>(fulfilled: 2), line: 1000)
        }
        _ = await step.finalResult
      }
    } matching: { issue in
      "\(issue)".contains("to be unresolved") && issue.sourceLocation?.line == 1000
    }
  }

  @Test("16.8 an expectation waits for a promise that is resolved elsewhere")
  func wait() async {
    let minute = Duration.seconds(60)
    #expect(await expectFulfilled(fulfilled.map(on: .utility) { $0 + 1 }, within: minute) == 2)
    #expect(
      await expectRejected(
        rejected.mapError(on: .utility) { Flaw(stringLiteral: $0.description + "!") }, within: minute) == "no!")
    await expectCancelled(cancelled.always(on: .utility) { _ in }, within: minute)
  }

  @Test("16.8 a wait ends at its bound, fails the test, and leaves the promise unaffected")
  func timedOutWait() async {
    let (pending, resolver) = Subject.makeWithResolver()
    await expectIssue("still unresolved after 0.001 seconds: Promise<Int, Flaw>(unresolved, ") {
      await expectFulfilled(pending, within: .milliseconds(1))
    }
    #expect(!resolver.hasRequestedCancel)
    resolver.fulfill(with: 7)
    #expect(await expectFulfilled(pending, within: .zero) == 7)
  }

  @Test("16.14 a wait that reaches its bound says what the promise waits for")
  func timedOutWaitForChain() async {
    // In a scope, so that the source location is known in all builds.
    let line = #line + 1
    let (first, resolver) = PromiseDiagnostics.checking { Subject.makeWithResolver() }.result
    let last = first.map(on: .utility) { $0 }
    await expectIssue {
      await expectFulfilled(last, within: .milliseconds(1))
    } matching: { issue in
      let lines = "\(issue)".split(separator: "\n")
      return lines.contains { $0.hasSuffix("2 promises are pending.") }
        && lines.contains {
          $0.hasPrefix("#") && $0.contains("made at \(#fileID):\(line), ") && $0.hasSuffix("waits for its resolver")
        }
        && lines.contains { $0.hasPrefix("  #") && $0.contains("a step on utility") }
    }
    resolver.cancel()
  }
}
