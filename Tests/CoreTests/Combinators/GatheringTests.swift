#if os(macOS) || os(Linux)
  import Overmorrow
  import Testing

  /// The memory of a combinator and its steps. Each test runs in its own process, because the level is global.
  @Suite(.heavy, .enabled(if: isLevelUnset)) struct GatheringTests {
    /// What happens to the three inputs of a `when`.
    private enum End: CaseIterable {
      case fulfilled, rejected, requested, unobserved
    }

    private static func run(_ end: End, _ tracker: Tracker) {
      typealias Subject = Promise<Tracker.Tracked, Flaw>
      let inputs = (0..<3).map { _ in Subject.makeWithResolver() }
      inputs[0].1.fulfill(with: tracker.make())
      let both: Promise<[Tracker.Tracked], Flaw> = when(fulfilled: inputs.map { $0.0 })
      let object = tracker.make()
      let all: Promise<Int, Flaw> = both.map(on: .immediate) { values in values.count + (object === values[0] ? 1 : 0) }
      switch end {
      case .fulfilled:
        for input in inputs.dropFirst() { input.1.fulfill(with: tracker.make()) }
        #expect(all.result == .value(3))
      case .rejected:
        inputs[2].1.reject(with: "no")
        #expect(all.result == .error("no"))
      case .requested:
        for input in inputs.dropFirst() { input.1.onRequestCancel(on: .immediate) { $0.cancel() } }
        all.requestCancel()
      case .unobserved: break
      }
      // Optimised code would release the other resolvers before the last use of one.
      withExtendedLifetime(inputs) {}
    }

    @Test("5.1 what a when retains is released once, whether or not its promises are watched")
    func memory() async {
      await #expect(processExitsWith: .success) {
        for level in [PromiseDiagnostics.Level.off, .report] {
          PromiseDiagnostics.level = level
          PromiseDiagnostics.handler = { _ in }
          for end in End.allCases {
            let tracker = Tracker()
            for _ in 0..<100 { Self.run(end, tracker) }
            #expect(tracker.count == 0, "\(end) at \(level)")
          }
        }
      }
    }
  }
#endif
