import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Cycles of waits that go through a limiter.
@Suite(.inTurn) struct DeadlockReportTests {
  private typealias Number = Promise<Int, any Error>

  @Test("15.40 a job that waits for its own full limiter is reported with both lines")
  func direct() async {
    await #expect(processExitsWith: .success) {
      let found = await deadlock {
        let limiter = PromiseLimiter(width: 1)
        await rest(
          limiter.run(on: .immediate, fileID: "A/A.swift", line: 1) {
            limiter.run(on: .immediate, fileID: "A/A.swift", line: 2) { Number(with: .value(1)) }
          })
      }
      expectCycle(
        found,
        [
          "the job made at A/A.swift:1 waits for the job made at A/A.swift:2",
          "the job made at A/A.swift:2 waits for its turn in a limiter, whose place is taken by the job "
            + "made at A/A.swift:1",
        ])
    }
  }

  @Test("15.40 an async job that waits for its own full limiter is reported")
  func asyncJob() async {
    await #expect(processExitsWith: .success) {
      let found = await deadlock {
        let limiter = PromiseLimiter(width: 1)
        await rest(
          limiter.run(fileID: "A/A.swift", line: 1) { () async throws -> Int in
            try await limiter.run(on: .immediate, fileID: "A/A.swift", line: 2) { Number(with: .value(1)) }.value
          })
      }
      expectCycle(
        found,
        [
          "the job made at A/A.swift:2 waits for its turn in a limiter, whose place is taken by the job "
            + "made at A/A.swift:1",
          "the job made at A/A.swift:1 waits for the job made at A/A.swift:2",
        ])
    }
  }

  @Test("15.40 a job whose reported cycle has ended is reported in a second one")
  func secondCycle() async {
    await #expect(processExitsWith: .success) {
      let heard = Recorder<[String]>()
      PromiseDiagnostics.level = .report
      PromiseDiagnostics.handler = { if case .deadlock(_, let cycle) = $0 { heard.record(cycle) } }
      let limiter = PromiseLimiter(width: 1)
      let job = limiter.run(on: .immediate, fileID: "A/A.swift", line: 1) {
        limiter.run(on: .immediate, fileID: "A/A.swift", line: 2) {
          limiter.run(on: .immediate, fileID: "A/A.swift", line: 3) { Number(with: .value(1)) }
        }
      }
      expectCycle(
        heard.entries.last ?? [],
        [
          "the job made at A/A.swift:1 waits for the job made at A/A.swift:2",
          "the job made at A/A.swift:2 waits for its turn in a limiter, whose place is taken by the job "
            + "made at A/A.swift:1",
        ])
      limiter.width = 2
      expectCycle(
        heard.entries.last ?? [],
        [
          "the job made at A/A.swift:2 waits for the job made at A/A.swift:3",
          "the job made at A/A.swift:3 waits for its turn in a limiter, whose place is taken by the job "
            + "made at A/A.swift:2",
        ])
      if heard.entries.count != 2 { Issue.record("\(heard.entries)") }
      limiter.width = 3
      await until("the end of the jobs") { job.isResolved }
    }
  }

  @Test("15.40 jobs of two limiters that wait for each other's turns are reported")
  func twoLimiters() async {
    await #expect(processExitsWith: .success) {
      let found = await deadlock {
        let (first, second) = (PromiseLimiter(width: 1), PromiseLimiter(width: 1))
        let (go, resolver) = Number.makeWithResolver()
        let one = first.run(on: .immediate, fileID: "A/A.swift", line: 1) {
          go.flatMap(on: .immediate) { _ in
            second.run(on: .immediate, fileID: "A/A.swift", line: 2) { Number(with: .value(1)) }
          }
        }
        let two = second.run(on: .immediate, fileID: "A/A.swift", line: 3) {
          go.flatMap(on: .immediate) { _ in
            first.run(on: .immediate, fileID: "A/A.swift", line: 4) { Number(with: .value(1)) }
          }
        }
        resolver.fulfill(with: 0)
        await rest(one, two)
      }
      for line in 1...4 { #expect(found.contains { $0.hasPrefix("the job made at A/A.swift:\(line) waits") }) }
    }
  }
}

/// Compares a cycle with the expected one, which may begin at another member. The values of an expectation in a process
/// of its own are not shown, so the text is recorded.
func expectCycle(_ found: [String], _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) {
  let turned = found.indices.map { Array(found[$0...] + found[..<$0]) }
  if !turned.contains(expected) { Issue.record("found \(found)", sourceLocation: sourceLocation) }
}

/// Keeps promises until the test has ended.
func rest<each Value: Sendable>(_ promises: repeat each Value) async { repeat Kept.all.record(each promises) }

private enum Kept {
  static let all = Recorder<any Sendable>()
}

/// Runs a closure, and returns the first reported cycle. Call this only in a process of its own.
func deadlock(_ body: () async throws -> Void) async -> [String] {
  let (heard, isFound) = (Recorder<[String]>(), Latch())
  PromiseDiagnostics.level = .report
  PromiseDiagnostics.handler = {
    guard case .deadlock(_, let cycle) = $0 else { return }
    heard.record(cycle)
    isFound.signal()
  }
  try? await body()
  await isFound.wait(for: "the report of a deadlock")
  return heard.entries.first ?? []
}
