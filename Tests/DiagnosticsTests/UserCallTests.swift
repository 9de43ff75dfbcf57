import Dispatch
import OvermorrowTesting
import TestSupport
import Testing

@testable import Overmorrow
@testable import OvermorrowDiagnostics
@testable import OvermorrowEngine

#if DEBUG && os(Linux)
  /// The places of the calls that make promises.
  @Suite(.inTurn) struct UserCallTests {
    private typealias Subject = Promise<Int, Flaw>

    /// Returns the pending promises that `make` has made and that still exist.
    private func pending(_ make: () -> some Any) -> [PendingPromises.Entry] {
      let scope = PromiseScope(findsLeaks: false)
      defer { scope.close() }
      return PromiseScope.run(in: scope) { withExtendedLifetime(make()) { scope.pending.entries } }
    }

    private func place(_ line: Int) -> String { "UserCallTests.swift:\(line)" }

    @Test("15.38 a build that pretends to know no lines finds none")
    func pretendedUnknown() async {
      await #expect(processExitsWith: .success) {
        let calls = CallStack.capture()
        #expect(calls.place != nil && UserCall.isKnown(in: calls))
        Symbols.pretendUnknown(true)
        #expect(calls.place == nil && !UserCall.isKnown(in: calls))
        #expect(calls.addresses.allSatisfy { Symbols.frames(of: $0).isEmpty })
        Symbols.pretendUnknown(false)
        #expect(calls.place != nil)
      }
    }

    @Test("15.38 each step has the line of its operator")
    func lines() {
      let line = #line
      let entries = pending {
        let (promise, resolver) = Subject.makeWithResolver()
        let mapped = promise.map(on: .utility) { $0 }
        let flat =
          mapped
          .flatMap(on: .main) { _ in promise }
          .tap(on: .immediate) { _ in }
        let bound = flat.catch { _ in }
        return (resolver, bound, mapped.mapError(on: .immediate) { $0 }, mapped.timeout(on: .main, .seconds(60)))
      }
      #expect(entries.map { $0.origin?.hasSuffix("UserCallTests.swift:\(line + 2)") } == entries.map { _ in true })
      #expect(entries.first?.place == entries.first?.origin)
      #expect(entries.dropFirst().map(\.place) == [3, 6, 7, 8, 9, 9].map { place(line + $0) })
    }

    @Test("15.38 a step of a bound promise has the line of its operator")
    func bound() {
      let owner = Counter()
      let line = #line
      let entries = pending {
        let (promise, resolver) = Subject.makeWithResolver()
        return (resolver, promise.bound(to: owner).map(on: .main) { _, value in value })
      }
      #expect(entries.last?.place == place(line + 3))
    }

    @Test("15.38 an operator of the program has the line of the library's operator in it")
    func ownOperator() {
      let entries = pending {
        let (promise, resolver) = Subject.makeWithResolver()
        return (resolver, promise.doubled())
      }
      #expect(entries.last?.place == place(doubledLine))
    }

    @Test("15.38 the list shows the place of each step")
    func text() {
      let (promise, resolver) = Subject.makeWithResolver()
      let line = #line + 1
      let mapped = promise.map(on: .utility) { $0 }
      let text = "\(PromiseDiagnostics.pending(upstreamOf: mapped))"
      withExtendedLifetime((mapped, resolver)) {}
      #expect(text.contains(" a step on utility at \(place(line)), pending for "))
    }
  }

  private let doubledLine = #line + 5

  extension Promise where Value == Int, Failure: Error {
    /// An operator of the program.
    fileprivate func doubled() -> Promise {
      map(on: .main) { $0 * 2 }
    }
  }
#endif
