import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Planted cycles of several kinds, each of which goes through up to three other waits.
@Suite(.inTurn) struct DeadlockDepthTests {
  private typealias Number = Promise<Int, any Error>

  private enum Start: CaseIterable {
    case job, asyncJob, turn, load, batch
  }

  /// The parts of one cycle. The start has line 1, its first other wait has line 2, and so on. The wait that closes the
  /// cycle has line 9.
  private final class Parts: Sendable {
    let (limiter, other) = (PromiseLimiter(width: 1), PromiseLimiter(width: 1))
    let cache = PromiseCache<String, Int, any Error>()
    let (slot, isSet) = (Recorder<Number>(), Latch())

    /// Begins a cycle. The work of the start waits for `depth` others, and the last of them waits for the start.
    func begin(_ start: Start, depth: Int) {
      let promise =
        switch start {
        case .job: limiter.run(on: .immediate, fileID: "A/A.swift", line: 1) { self.wait(2, depth) { self.turn() } }
        case .asyncJob:
          limiter.run(fileID: "A/A.swift", line: 1) { try await self.wait(2, depth) { self.turn() }.value }
        case .turn:
          Number(fileID: "A/A.swift", line: 1) {
            try await self.limiter.perform { try await self.wait(2, depth) { self.turn() }.value }
          }
        case .load:
          cache.promise(for: "start", fileID: "A/A.swift", line: 1) { _ in try await self.waitForSlot(depth) }
        case .batch:
          PromiseBatcher<Int, Int>(on: .default) { _ in
            Promise(fileID: "A/A.swift", line: 1) { [1: try await self.waitForSlot(depth)] }
          }.promise(for: 1, fileID: "A/A.swift", line: 9)
        }
      slot.record(promise)
      isSet.signal()
    }

    private func turn() -> Number {
      limiter.run(on: .immediate, fileID: "A/A.swift", line: 9) { Number(with: .value(1)) }
    }

    private func waitForSlot(_ depth: Int) async throws -> Int {
      await isSet.wait(for: "the promise of the start")
      let promise = slot.entries[0]
      return try await wait(2, depth) { promise.map(on: .immediate) { $0 } }.value
    }

    /// Waits for others: a load, a job of another limiter, and a task.
    private func wait(_ line: UInt, _ depth: Int, _ end: @escaping @Sendable () -> Number) -> Number {
      guard depth > 0 else { return end() }
      let next: @Sendable () -> Number = { self.wait(line + 1, depth - 1, end) }
      switch line {
      case 2: return cache.promise(for: "other", on: .default, fileID: "A/A.swift", line: line) { _ in next() }
      case 3: return other.run(on: .default, fileID: "A/A.swift", line: line) { next().map(on: .default) { $0 } }
      default: return Number(fileID: "A/A.swift", line: line) { try await next().value }
      }
    }
  }

  @Test("15.40 twenty planted deadlocks are reported with the lines of their waits")
  func planted() async {
    await #expect(processExitsWith: .success) {
      let heard = Recorder<[String]>()
      PromiseDiagnostics.level = .report
      PromiseDiagnostics.handler = { if case .deadlock(_, let cycle) = $0 { heard.record(cycle) } }
      var kept: [Parts] = []
      for start in Start.allCases {
        for depth in 0...3 {
          let (parts, before) = (Parts(), heard.entries.count)
          kept.append(parts)
          parts.begin(start, depth: depth)
          await until("the report of \(start) over \(depth) others") { heard.entries.count > before }
          let cycle = heard.entries[before].joined(separator: "; ")
          // The closure of a turn belongs to a task, whose promise is not in the cycle.
          var lines = (0..<depth).map { $0 + 2 }
          if start != .turn { lines.append(1) }
          if start != .load { lines.append(9) }
          for line in lines where !cycle.contains("A/A.swift:\(line) ") {
            Issue.record("\(start) over \(depth) others without line \(line): \(cycle)")
          }
        }
      }
      if heard.entries.count != 20 { Issue.record("\(heard.entries.count) reports") }
      withExtendedLifetime(kept) {}
    }
  }
}
