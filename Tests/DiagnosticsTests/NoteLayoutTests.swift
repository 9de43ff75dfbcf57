#if os(macOS) || os(Linux)
  import TestSupport
  import Testing

  @testable import Overmorrow
  @testable import OvermorrowDiagnostics
  @testable import OvermorrowEngine

  /// The places of the notes, which the debugger script reads.
  @Suite(.inTurn, .enabled(if: isLevelUnset)) struct NoteLayoutTests {
    @Test("15.39 the first promise writes the layout, although a task's call comes first")
    func callFirst() async {
      await #expect(processExitsWith: .success) {
        PromiseDiagnostics.level = .report
        let call = try #require(TaskCall.begin("withTimeout", at: CallSite("A/A.swift", 1)))
        try #require(!CoreNote.layoutIsWritten.isTaken)
        let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
        try #require(CoreNote.find(promise.handle.core)?.number != 1)
        try #require(CoreNote.layoutIsWritten.isTaken)
        resolver.fulfill(with: 1)
        #expect(try await promise.value == 1)
        call.end()
      }
    }
  }
#endif
