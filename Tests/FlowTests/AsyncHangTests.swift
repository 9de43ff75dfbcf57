import Overmorrow
internal import OvermorrowDiagnostics
import OvermorrowFlow
import OvermorrowTesting
import TestSupport
import Testing

/// Async code that hangs, without a promise of the program.
@Suite(.inTurn) struct AsyncHangTests {
  @Test("15.20 15.59 calls of tasks count towards the limit of the list")
  func limitWithCalls() async {
    await #expect(processExitsWith: .success) {
      PromiseDiagnostics.level = .report
      let pairs = (0..<PendingPromises.limit - 1).map { _ in Promise<Int, any Error>.makeWithResolver() }
      try await withTimeout(.seconds(600)) {
        try await withTimeout(.seconds(600)) {
          let pending = PromiseDiagnostics.pending()
          #expect(pending.entries.count == PendingPromises.limit)
          #expect(pending.omitted == 1)
          let ids = Set(pending.entries.map(\.id))
          #expect(pending.entries.allSatisfy { ids.isSuperset(of: $0.upstream) })
        }
      }
      withExtendedLifetime(pairs) {}
    }
  }

  @Test("15.40 tasks that hold each other's limiters by perform are reported with all lines")
  func twoLimiters() async {
    await #expect(processExitsWith: .success) {
      let found = await deadlock {
        let (first, second) = (PromiseLimiter(width: 1), PromiseLimiter(width: 1))
        Task {
          try await first.perform(fileID: "A/A.swift", line: 1) {
            await until("the second limiter to be taken") { second.runningCount == 1 }
            try await second.perform(fileID: "A/A.swift", line: 2) {}
          }
        }
        Task {
          try await second.perform(fileID: "A/A.swift", line: 3) {
            await until("the first task to wait") { second.pendingCount == 1 }
            try await first.perform(fileID: "A/A.swift", line: 4) {}
          }
        }
      }
      let (one, two) = (
        "the task in PromiseLimiter.perform at A/A.swift:1 and PromiseLimiter.perform at A/A.swift:2",
        "the task in PromiseLimiter.perform at A/A.swift:3 and PromiseLimiter.perform at A/A.swift:4"
      )
      let clause = "waits for its turn in a limiter, whose place is taken by"
      expectCycle(found, ["\(one) \(clause) \(two)", "\(two) \(clause) \(one)"])
      let report = PromiseDiagnostic.deadlock(origin: "A/A.swift:2", cycle: found)
      if !"\(report)".hasPrefix("a task can never end, because it waits for itself; it was made at A/A.swift:2") {
        Issue.record("\(report)")
      }
    }
  }

  @Test("15.59 a hang of async code lists each call below what it waits for")
  func hang() async {
    await #expect(processExitsWith: .success) {
      PromiseDiagnostics.level = .report
      let (clock, limiter) = (TestClock(), PromiseLimiter(width: 1))
      let text = Recorder<String>()
      let holder = Task {
        try await limiter.perform(fileID: "A/A.swift", line: 1) { try await clock.sleep(for: .seconds(3)) }
      }
      await until("the holder to sleep") {
        PromiseDiagnostics.pending().entries.contains { $0.cause == "a test clock to reach 3.0 seconds" }
      }
      let waiter = Task {
        try await withTimeout(.seconds(9), clock: clock, fileID: "A/A.swift", line: 2) {
          try await limiter.perform(fileID: "A/A.swift", line: 3) {}
        }
      }
      await until("the waiter to wait") { limiter.pendingCount == 1 }
      let entries = PromiseDiagnostics.pending().entries.filter { $0.function != nil }
      for entry in entries {
        let above = entries.first { $0.id == entry.upstream.first }
        text.record("\(entry.function ?? "") \(entry.origin ?? "-"): \(above?.function ?? entry.cause)")
      }
      for line in [
        "PromiseLimiter.perform A/A.swift:1: TestClock.sleep", "TestClock.sleep -: a test clock to reach 3.0 seconds",
        "withTimeout A/A.swift:2: PromiseLimiter.perform", "PromiseLimiter.perform A/A.swift:3: its turn in a limiter",
      ] { #expect(text.entries.contains(line), "\(text.entries)") }
      tick(clock, by: .seconds(3))
      try await holder.value
      try await waiter.value
      #expect(!PromiseDiagnostics.pending().entries.contains { $0.origin?.hasPrefix("A/A.swift:") == true })
    }
  }

  @Test("16.9 checks name the place that a helper passes on")
  func helper() {
    let scope = PromiseScope(findsLeaks: false)
    defer { scope.close() }
    PromiseScope.run(in: scope) {
      _ = Promise<Int, any Error>(rejected: PromiseRefusalError.gateClosed, fileID: "A/A.swift", line: 7)
    }
    #expect(scope.findings == [.failureUnobserved(origin: "A/A.swift:7")])
  }
}
