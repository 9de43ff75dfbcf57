import TestSupport
import Testing

@testable import Overmorrow
@testable import OvermorrowDiagnostics

/// The lists of a scope of checks.
@Suite(.inTurn) struct PromiseScopeTests {
  private final class Handle: Sendable {}

  @Test("15.54 a scope keeps nothing of nearly all released handles of loads")
  func releasedHandles() {
    let tracker = Tracker()
    let scope = PromiseScope(findsLeaks: true) {
      let place = tracker.make()
      return PromiseOrigin { withExtendedLifetime(place) { "a place" } }
    }
    let kept = Handle()
    PromiseScope.run(in: scope) {
      PromiseScope.noteHandle(kept)
      for _ in 0..<1_000 { PromiseScope.noteHandle(Handle()) }
    }
    #expect(tracker.count <= 10)
    #expect(withExtendedLifetime(kept) { scope.findings } == [.leaked(origin: "a place")])
    scope.close()
  }

  @Test("15.54 the release of a handle may make handles while the list is swept")
  func userCode() {
    let scope = PromiseScope(findsLeaks: true)
    let tracker = Tracker()
    PromiseScope.run(in: scope) {
      for _ in 0..<100 {
        PromiseScope.noteHandle(tracker.make { PromiseScope.noteHandle(Handle()) })
      }
    }
    #expect(tracker.count == 0 && scope.isClean)
    scope.close()
  }
}
