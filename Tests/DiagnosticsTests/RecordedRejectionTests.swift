#if os(macOS) || os(Linux)
  import OvermorrowTesting
  import TestSupport
  import Testing

  @testable import Overmorrow
  @testable import OvermorrowDiagnostics

  /// The steps that recorded trails name as the ones that have made the error, and the ends of long trails. Each test
  /// runs in its own process, because the level and the switch are global.
  @Suite(.heavy, .enabled(if: isLevelUnset)) struct RecordedRejectionTests {
    private typealias Recorded = RecordedTrailTests
    private typealias Subject = Recorded.Subject

    @Test("15.48 a recorded step that throws its source's error again has not made the error")
    func thrownAgain() async {
      await #expect(processExitsWith: .success) {
        Recorded.begin()
        for isOther in [false, true] {
          let change: @Sendable (Fault) -> Fault = { isOther ? Fault(text: "other") : $0 }
          let (promise, resolver) = Subject.makeWithResolver()
          let steps = [
            promise.mapError(on: .immediate, change),
            promise.recover(on: .immediate) { error throws(Fault) in throw change(error) },
            promise.mapResult(on: .immediate) { result in .error(change(result.error ?? Fault(text: "none"))) },
          ]
          resolver.reject(with: Fault(text: "a"))
          for step in steps {
            let trail = await Recorded.trail(of: step.map(on: .immediate) { $0 })
            #expect(trail?.entries.map(\.isRejectedHere) == [true, isOther, false], "\(trail?.description ?? "")")
          }
        }
      }
    }

    @Test("15.42 15.48 the trail of 1,000 recorded promises has 8 first and 24 last entries")
    func longChain() async {
      await #expect(processExitsWith: .success) {
        Recorded.begin()
        let (inner, resolver) = Recorded.right()
        var chain = Subject(fulfilled: 1).flatMap(on: .immediate) { _ in inner }
        for _ in 0..<994 { chain = chain.map(on: .immediate) { $0 } }
        let (outer, outerResolver) = Recorded.left()
        outerResolver.resolve(with: chain)
        resolver.reject(with: Fault(text: "a"))
        let trail = try #require(await Recorded.trail(of: outer))
        let steps = Array(repeating: PromiseTrail.Entry.Kind.step, count: 26)
        #expect(trail.entries.map(\.kind) == [.promise, .promise, .step, .promise, .adoption] + steps + [.adoption])
        #expect(trail.trail.firstCount == 8 && trail.omitted == 1_000 - 32, "\(trail.omitted) omitted")
        #expect(trail.entries[0].place == Recorded.place(Recorded.leftLine) && trail.entries[31].kind == .adoption)
        #expect(trail.entries[3].isRejectedHere && trail.entries[3].place == Recorded.place(Recorded.rightLine))
      }
    }
  }
#endif
