#if os(macOS) || os(Linux)
  import Foundation
  import Overmorrow
  import Testing

  @Suite(.heavy, .enabled(if: isLevelUnset)) struct AppProgramTests {
    @Test("15.13 15.52 at trap, correct programs of the kinds that apps have continue")
    func trap() async {
      #expect(AppProgram.all.count >= 40)
      await #expect(processExitsWith: .success) {
        PromiseDiagnostics.level = .trap
        let rounds = ProcessInfo.processInfo.environment["OVERMORROW_ROUNDS"].flatMap(Int.init) ?? 3
        let backend = Backend()
        for _ in 0..<rounds {
          // A failure of the test's own code would be a mistake in the table.
          for program in AppProgram.all { try await program.run(backend) }
        }
        await backend.wait()
      }
    }
  }
#endif
