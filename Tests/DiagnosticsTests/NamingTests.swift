import OvermorrowTesting
import TestSupport
import Testing

@testable import Overmorrow
@testable import OvermorrowDiagnostics
@testable import OvermorrowEngine

/// The names of promises in lists and descriptions.
@Suite(.inTurn) struct NamingTests {
  private typealias Subject = Promise<Int, Flaw>

  /// The text about the place of a step in a list. Only debug builds on Linux know the line.
  private func place(_ line: Int) -> String {
    #if DEBUG && os(Linux)
      " at NamingTests.swift:\(line)"
    #else
      ""
    #endif
  }

  @Test("15.31 a list and descriptions show the name beside the place")
  func list() {
    let line = #line + 2
    _ = PromiseDiagnostics.checking {
      let (promise, resolver) = Subject.makeWithResolver()
      #expect(promise.named("order 17") == promise)
      let step = promise.map(on: .immediate) { $0 }
      let other = step.map(on: .immediate) { $0 }.named("sum \"of\"\nall")
      let pending = PromiseDiagnostics.pending(upstreamOf: other)
      #expect(pending.entries.map(\.name) == ["order 17", "order 17", "sum \"of\"\nall"])
      let lines = pending.description.split(separator: "\n").dropFirst()
      #expect(lines.count == 3)
      #expect(lines.first?.contains(" a promise named \"order 17\" made at ") == true)
      #expect(lines.dropFirst().first?.contains(" a step on immediate\(place(line + 2))") == true)
      #expect(
        lines.last?.contains(" a step named \"sum \"of\"␊all\" on immediate\(place(line + 3))") == true)
      #expect(pending.mermaid.contains(" a promise named #34;order 17#34; made at "))
      let place = "DiagnosticsTests/NamingTests.swift:\(line)"
      #expect(promise.debugDescription.contains("(unresolved, named \"order 17\", made at \(place), "))
      #expect(promise.customMirror.descendant("name") as? String == "order 17")
      #expect(promise.handle.core.waitDetails == "the promise \"order 17\" made at \(place) waits for its resolver")
      resolver.cancel()
    }
  }

  @Test("15.31 a chain with an owner passes a name to its promise")
  func decorated() {
    let owner = Counter()
    _ = PromiseDiagnostics.checking {
      let (promise, resolver) = Subject.makeWithResolver()
      _ = promise.bound(to: owner).named("b")
      #expect(CoreNote.find(promise.handle.core)?.name == "b")
      resolver.cancel()
    }
  }

  @Test("15.31 each derived promise takes over the name")
  func derived() {
    _ = PromiseDiagnostics.checking {
      let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
      promise.named("order 17")
      let operators = TestedOperator.every.map { ($0.name, $0(promise, on: .immediate) {}.handle.core) }
      let others = [
        ("tap", promise.tap().handle.core), ("makeChild", promise.makeChild().handle.core),
        ("ignoringCancel", promise.ignoringCancel().handle.core),
        ("propagatingCancellation", promise.propagatingCancellation(on: .immediate) { _ in }.handle.core),
        ("delay", promise.delay(on: .immediate, .zero).handle.core),
        ("timeout", promise.timeout(on: .immediate, .seconds(1000)).handle.core),
      ]
      for (name, core) in operators + others { #expect(CoreNote.find(core)?.name == "order 17", "\(name)") }
      withExtendedLifetime((operators, others)) {}
      #expect(CoreNote.find(when(fulfilled: [promise]).handle.core)?.name == nil)
      resolver.cancel()
    }
  }

  @Test("15.31 what a promise waits for is described with the name of the other promise")
  func cause() {
    let line = #line + 2
    _ = PromiseDiagnostics.checking {
      let (promise, resolver) = Subject.makeWithResolver()
      promise.named("order 17")
      let step = promise.map(on: .immediate) { $0 }
      #expect(step.debugDescription.contains("waits for the promise before it"))
      step.named("sum")
      let place = "DiagnosticsTests/NamingTests.swift:\(line)"
      #expect(step.debugDescription.contains("waits for the promise \"order 17\" made at \(place)"))
      #expect(
        step.handle.core.waitDetails == "the promise \"sum\" made at \(place) waits for the promise \"order 17\" made "
          + "at \(place), which waits for its resolver")
      resolver.cancel()
    }
  }

  @Test("15.31 the findings of a scope contain the name")
  func scope() {
    let line = #line + 1
    let (kept, found) = PromiseDiagnostics.checking { Subject.makeWithResolver() }
    kept.0.named("a")
    #expect(found == [.neverResolved(origin: "DiagnosticsTests/NamingTests.swift:\(line)")])
    kept.1.cancel()
    let named = PromiseDiagnostics.checking { Subject(rejected: "no").named("b").result?.value }.diagnostics
    #expect(named == [])
    let place = "DiagnosticsTests/NamingTests.swift:\(#line + 2)"
    let lost = PromiseDiagnostics.checking {
      _ = Subject(rejected: "no").named("c").map(on: .immediate) { $0 }
    }.diagnostics
    #expect(lost == [.failureUnobserved(origin: "\(place) \"c\"")])
    let text = "a promise \"c\" was rejected, and no code read the error; it was made at \(place)"
    #expect(lost.first?.description == text)
  }
}

#if os(macOS) || os(Linux)
  /// The names in the reports of a whole program. Each test runs in its own process, which sets the level.
  @Suite(.heavy, .enabled(if: isLevelUnset)) struct NamedReportTests {
    private typealias Subject = Promise<Int, Reason>

    private static let firstLine = #line + 4

    /// Makes a mistake of each kind that a report can have, with a promise that has a name.
    private static func makeMistakes() {
      let (dropped, resolver) = Subject.makeWithResolver()
      dropped.named("order 17")
      _ = consume resolver
      withExtendedLifetime(dropped) {}
      Subject(rejected: "no").named("order 18")
      let twice = Subject.makeWithResolver()
      twice.0.named("order 19").always(on: .immediate) { _ in }
      twice.1.fulfill(with: 1)
      twice.1.reject(with: "no")
      let cycle = Subject.makeWithResolver()
      cycle.0.named("order 20")
      cycle.1.resolve(with: cycle.0)
    }

    @Test("15.10 15.11 15.31 a report shows the name beside the place")
    func reported() async {
      await #expect(processExitsWith: .success) {
        let lines = reports { Self.makeMistakes() }.map { Finding($0).line }
        let first = Self.firstLine
        let place = "Overmorrow: DiagnosticsTests/NamingTests.swift:"
        let parts = [
          "\(place)\(first): the resolver of this promise \"order 17\" was released",
          "\(place)\(first + 4): this promise \"order 18\" was rejected",
          "\(place)\(first + 5): this promise \"order 19\" was rejected right after",
          "\(place)\(first + 9): this promise \"order 20\" waits for itself",
        ]
        #expect(lines.count == 4 && zip(lines, parts).allSatisfy { $0.hasPrefix($1) }, "\(lines)")
      }
    }

    @Test("15.31 the name of a promise that is not watched is not evaluated")
    func off() async {
      await #expect(processExitsWith: .success) {
        PromiseDiagnostics.level = .off
        let count = Counter()
        func name() -> String {
          count.increment()
          return "order 17"
        }
        Subject(fulfilled: 1).named(name()).map(on: .immediate) { $0 }.named(name())
        #expect(count.count == 0)
        PromiseDiagnostics.level = .report
        Subject(fulfilled: 1).named(name())
        #expect(count.count == 1)
      }
    }
  }
#endif
