import Dispatch
import OvermorrowTesting
import TestSupport
import Testing

@testable import Overmorrow

/// What is said of promises that are pending.
@Suite(.inTurn) struct PendingPromisesTests {
  private typealias Subject = Promise<Int, Flaw>

  /// What is pending of the promises that `make` has made on lines of this file, while they are there. Numbers start at 1, and ages are left
  /// out.
  private func pending(
    line: Int = #line, _ make: () -> some Any, then act: () -> Void = {}
  ) -> PendingPromises {
    PromiseDiagnostics.checking {
      let before = PromiseDiagnostics.pending().entries.last?.id ?? 0
      return withExtendedLifetime(make()) {
        act()
        return mine(PromiseDiagnostics.pending(), after: before, line)
      }
    }.result
  }

  private func mine(_ all: PendingPromises, after id: Int, _ line: Int) -> PendingPromises {
    let mine = all.entries.filter { entry in
      let place = entry.origin?.split(separator: ":") ?? []
      return entry.id > id && place.first == "OvermorrowTests/PendingPromisesTests.swift"
        && (line...line + 30).contains(place.last.flatMap { Int($0) } ?? 0)
    }
    let numbers = Dictionary(uniqueKeysWithValues: mine.enumerated().map { ($1.id, $0 + 1) })
    let renamed = mine.map { entry in
      PendingPromises.Entry(
        id: numbers[entry.id] ?? 0,
        origin: entry.origin.map { "line \((Int($0.split(separator: ":").last ?? "") ?? 0) - line)" },
        isStep: entry.isStep, context: entry.context, age: .zero, observers: entry.observers,
        upstream: entry.upstream.compactMap { numbers[$0] }, cause: entry.cause)
    }
    return PendingPromises(entries: renamed, omitted: 0)
  }

  @Test("15.18 a promise waits for its resolver, and its chain for it")
  func chain() {
    let pending = pending {
      let (promise, resolver) = Subject.makeWithResolver()
      let queue = DispatchQueue(label: "a label")
      let steps = [promise.map(on: .queue(queue)) { $0 }, promise.map(on: .main) { $0 }]
      return (resolver, steps, steps[0].then(on: .immediate) { _ in })
    }
    #expect(
      pending.description == """
        4 promises are pending.
        #1 a promise made at line 1, for 0.0 s, waits for its resolver
          #2 a step on a label, for 0.0 s
            #4 a step on immediate, for 0.0 s
          #3 a step on main, for 0.0 s
        """)
    #expect(pending.entries.map(\.observers) == [2, 1, 0, 0])
  }
}
