import Dispatch
import OvermorrowTesting
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

extension StressTests {
  /// Loops that recur through `flatMap` without end.
  @Suite struct RecursionTests {
    typealias Subject = Promise<Int, Never>

    /// Runs the given number of rounds, and ends with the promise `last`. Some of the callbacks are tracked.
    private static func loop(
      _ rounds: Int, on context: PromiseContext, _ tracker: Tracker, _ most: Maximum, bytes: Maximum? = nil,
      last: Subject = Subject(fulfilled: 0)
    ) -> Subject {
      let tracked = rounds.isMultiple(of: 16) ? tracker.make() : nil
      return Subject(fulfilled: rounds).flatMap(on: context) { rounds in
        if tracked != nil { most.record(tracker.count) }
        if let bytes, rounds.isMultiple(of: 4096) { bytes.record(residentBytes() ?? 0) }
        return rounds == 0 ? last : loop(rounds - 1, on: context, tracker, most, bytes: bytes, last: last)
      }
    }

    #if os(macOS) || os(Linux)
      @Test("11.1 a million rounds of a flatMap loop on .immediate use bounded memory")
      func immediate() async throws {
        // This test runs in its own process, because other tests use memory, too.
        await #expect(processExitsWith: .success) {
          let (tracker, most, before, bytes) = (Tracker(), Maximum(), Maximum(), Maximum())
          // Measures the memory that the process needs in any case.
          _ = try await onSmallStack { Self.loop(10_000, on: .immediate, tracker, most, bytes: before).result }
          let result = try await onSmallStack {
            Self.loop(mostLinks, on: .immediate, tracker, most, bytes: bytes, last: Subject(fulfilled: 7)).result
          }
          #expect(result == .value(7))
          #expect(most.value < 20)
          #expect(tracker.count == 0)
          #expect(bytes.value - before.value < 10_000_000, "the loop has taken \(bytes.value - before.value) bytes")
        }
      }
    #endif

    @Test("11.1 a flatMap loop that is released in its middle is cancelled without leaks")
    func droppedInTheMiddle() async throws {
      let (tracker, most) = (Tracker(), Maximum())
      let result = try await onSmallStack {
        var (waited, resolver): (Subject?, Subject.Resolver?) = { ($0.0, $0.1) }(Subject.makeWithResolver())
        let rest = waited!.flatMap(on: .immediate) { Self.loop(manyLinks / 2 + $0, on: .immediate, tracker, most) }
        waited = nil
        let whole = Self.loop(manyLinks / 2, on: .immediate, tracker, most, last: rest)
        let isWaiting = whole.result == nil
        withExtendedLifetime(resolver) {}
        resolver = nil
        return isWaiting ? whole.result : nil
      }
      #expect(result == .cancelled)
      #expect(most.value < 20)
      #expect(tracker.count == 0)
    }

    @Test("11.1 a flatMap loop whose executor drops it is cancelled without leaks")
    func droppedByExecutor() async throws {
      let (tracker, most) = (Tracker(), Maximum())
      let executor = ManualContext()
      let result = try await onSmallStack {
        let whole = Self.loop(10_000, on: executor.context, tracker, most)
        for _ in 0..<5000 { executor.runNext() }
        let isWaiting = whole.result == nil
        executor.dropAll()
        return isWaiting ? whole.result : nil
      }
      #expect(result == .cancelled)
      #expect(executor.count == 0)
      #expect(tracker.count == 0)
    }

    @Test(
      "11.1 100,000 rounds of a flatMap loop on a serial queue retain few callbacks",
      arguments: [PromiseContext.queue(DispatchQueue(label: "loop")), .main])
    @MainActor func queue(context: PromiseContext) async {
      let (tracker, most) = (Tracker(), Maximum())
      #expect(await Self.loop(manyLinks, on: context, tracker, most).outcome("the loop") == .value(0))
      #expect(most.value < 20)
    }

    @Test("11.1 a loop whose steps run before their adoption leaves at most four links")
    func noLinksLeft() {
      let executor = ManualContext()
      let (end, resolver) = Subject.makeWithResolver()
      @Sendable func loop(_ rounds: Int) -> Subject {
        Subject(fulfilled: rounds).flatMap(on: executor.context) { rounds in
          if rounds == 0 { return end }
          let next = loop(rounds - 1)
          if rounds % 2 == 0 { executor.runNext() }
          return next
        }
      }
      let outer = loop(1000)
      executor.runAll()
      var links = 0
      var kept = OwnedCores()
      var core = outer.handle.core
      while let next = kept.keep(core.upstream()).first {
        core = next
        links += 1
      }
      #expect(links < 5)
      resolver.fulfill(with: 3)
      #expect(outer.result == .value(3))
    }
  }
}
