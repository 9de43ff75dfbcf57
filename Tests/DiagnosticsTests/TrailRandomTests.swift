import Dispatch
import Foundation
import OvermorrowTesting
import TestSupport
import Testing

@testable import Overmorrow

#if DEBUG && os(Linux)
  /// The trails of errors in random chains, compared with a model.
  @Suite(.heavy, .enabled(if: isLevelUnset)) struct TrailRandomTests {
    /// In a process of its own: elsewhere, the newest error with the same description may be that of another test, and
    /// other tests may read 100 errors in the meantime.
    @Test("15.42 15.53 the trail of an error in a random chain is the model's way")
    func chains() async {
      await #expect(processExitsWith: .success) {
        var errors = 0
        for seed in 0..<1_000 { if try await Self.check(seed) { errors += 1 } }
        #expect(errors > 300)
      }
    }

    /// Compares the trail of a chain with the model's. Returns whether the chain has an error.
    private static func check(_ seed: Int) async throws -> Bool {
      var random = SeededGenerator(seed: UInt64(seed))
      let plan = TrailPlan(&random, steps: 1...10, depth: 1)
      let seen = Recorder<PromiseTrail?>()
      let chain = plan.build(seed)
      _ = try? await chain.catch(on: .immediate) { seen.record(PromiseDiagnostics.trail(of: $0)) }.value
      guard let expected = plan.expected.way else {
        #expect(seen.entries.isEmpty, "seed \(seed)")
        return false
      }
      let trail = try #require(seen.entries.first ?? nil, "seed \(seed)")
      #expect(trail.description == expected.joined(separator: "\n"), "seed \(seed)")
      #expect(trail.omitted == 0)
      try check(trail)
      // Elsewhere, the error's type and description find the same trail, as a guess.
      do { _ = try await chain.value } catch {
        let guess = PromiseDiagnostics.trail(of: error)
        #expect(guess?.entries == trail.entries && guess?.isGuess == true, "seed \(seed)")
      }
      return true
    }

    /// Compares the JSON with the entries.
    private static func check(_ trail: PromiseTrail) throws {
      let object = try JSONSerialization.jsonObject(with: Data(trail.json.utf8))
      let members = try #require(object as? [String: Any])
      let entries = try #require(members["entries"] as? [[String: Any]])
      #expect(entries.map { $0["place"] as? String } == trail.entries.map(\.place))
      #expect(entries.map { $0["operation"] as? String } == trail.entries.map(\.operation))
      #expect(entries.map { $0["context"] as? String } == trail.entries.map(\.context))
      #expect(entries.map { $0["kind"] as? String } == trail.entries.map(\.kind.rawValue))
      #expect(entries.map { $0["isRejectedHere"] as? Bool } == trail.entries.map(\.isRejectedHere))
      #expect(members["omitted"] as? Int == trail.omitted)
    }
  }
#endif
