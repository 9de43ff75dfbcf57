#if os(macOS) || os(Linux)
  @testable import Overmorrow
  @testable import OvermorrowDiagnostics
  import OvermorrowFlow
  import Testing

  /// Errors that arrive after the code that would have read them has ended. Each test runs in its own process, because
  /// the level and the handler are global.
  @Suite(.heavy, .enabled(if: isLevelUnset)) struct EndedReaderTests {
    private typealias Subject = EndedReaders.Subject

    private struct Late: Error {}

    @Test("15.5 15.52 an error whose reader has ended before is not reported")
    func ended() async {
      await #expect(processExitsWith: .success) {
        let heard = Recorder<String>()
        PromiseDiagnostics.level = .report
        PromiseDiagnostics.handler = { heard.record($0.description) }
        for shape in EndedReaders.shapes {
          for ending in EndedReaders.endings {
            let (promise, resolver) = Subject.makeWithResolver()
            try await ending.end(shape.make(promise))
            resolver.reject(with: Late())
            #expect(heard.entries == [], "\(shape.name), \(ending.name)")
            heard.removeAll()
          }
        }
      }
    }

    @Test("15.5 15.14 15.52 at trap, the late errors of ended readers do not stop the program")
    func trap() async {
      await #expect(processExitsWith: .success) {
        PromiseDiagnostics.level = .trap
        for shape in EndedReaders.shapes {
          for ending in EndedReaders.endings {
            let (promise, resolver) = Subject.makeWithResolver()
            try await ending.end(shape.make(promise))
            resolver.reject(with: Late())
          }
        }
      }
    }

    @Test("15.3 15.52 in a scope, an error whose reader has ended before is no finding")
    func scope() async {
      for shape in EndedReaders.shapes {
        for ending in EndedReaders.endings {
          let (promise, found) = await Self.check(shape.make, ending.end)
          #expect(found == [], "\(shape.name), \(ending.name)")
          withExtendedLifetime(promise) {}
        }
      }
    }

    /// Returns the findings while the promise is retained.
    private static func check(
      _ shape: @Sendable (Subject) -> Subject, _ end: @Sendable (Subject) async throws -> Void
    ) async -> (Subject, [Finding]) {
      let scope = PromiseScope(findsLeaks: false)
      defer { scope.close() }
      let (promise, resolver) = PromiseScope.run(in: scope) {
        let (promise, resolver) = Subject.makeWithResolver()
        return (shape(promise), resolver)
      }
      try? await end(promise)
      resolver.reject(with: Late())
      return (promise, scope.findings)
    }

    @Test("15.5 15.10 an error that no code reads is reported, also through a combinator")
    func unread() async {
      await #expect(processExitsWith: .success) {
        for shape in EndedReaders.shapes {
          for use in EndedReaders.unread + EndedReaders.unreadCombinators {
            let found = reports {
              let (promise, resolver) = Subject.makeWithResolver()
              use.use(shape.make(promise))
              resolver.reject(with: Late())
            }
            #expect(found.count == 1, "\(shape.name), \(use.name): \(found)")
          }
        }
      }
    }
  }
#endif
