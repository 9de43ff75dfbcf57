import Dispatch
import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Cycles of waits that go through caches, batches, gates and turns of tasks, and waits that are no cycle.
@Suite(.inTurn) struct DeadlockKindsTests {
  private typealias Number = Promise<Int, any Error>
  private typealias Cache = PromiseCache<String, Int, any Error>

  /// A promise that code gets before it exists.
  private typealias Slot = Recorder<Number>

  @Test("15.40 an async load that waits for a promise of its key is reported")
  func asyncLoad() async {
    await #expect(processExitsWith: .success) {
      let found = await deadlock {
        let (cache, slot, isSet) = (Cache(), Slot(), Latch())
        let promise = cache.promise(for: "a", fileID: "A/A.swift", line: 1) { _ in
          await isSet.wait(for: "the promise")
          return try await slot.entries.first?.value ?? 0
        }
        slot.record(promise)
        isSet.signal()
        await rest(promise, cache)
      }
      expectCycle(found, ["the load made at A/A.swift:1 waits for itself"])
    }
  }

  @Test("15.40 a load and a job that wait for each other are reported")
  func loadAndJob() async {
    await #expect(processExitsWith: .success) {
      let found = await deadlock {
        let (cache, limiter) = (Cache(), PromiseLimiter(width: 1))
        let job = limiter.run(on: .immediate, fileID: "A/A.swift", line: 1) {
          cache.promise(for: "a", on: .immediate, fileID: "A/A.swift", line: 2) { _ in
            limiter.run(on: .immediate, fileID: "A/A.swift", line: 3) { Number(with: .value(1)) }
          }
        }
        await rest(job, cache)
      }
      expectCycle(
        found,
        [
          "the job made at A/A.swift:1 waits for the load made at A/A.swift:2",
          "the load made at A/A.swift:2 waits for the job made at A/A.swift:3",
          "the job made at A/A.swift:3 waits for its turn in a limiter, whose place is taken by the job made at "
            + "A/A.swift:1",
        ])
    }
  }

  @Test("15.40 a batch whose load waits for a call of the batch is reported")
  func batch() async {
    await #expect(processExitsWith: .success) {
      let found = await deadlock {
        let (slot, isSet) = (Slot(), Latch())
        let batcher = PromiseBatcher<Int, Int>(on: .default) { _ in
          Promise(fileID: "A/A.swift", line: 2) {
            await isSet.wait(for: "the promise")
            return [1: try await slot.entries.first?.value ?? 0]
          }
        }
        slot.record(batcher.promise(for: 1, fileID: "A/A.swift", line: 1))
        isSet.signal()
        await rest(batcher)
      }
      expectCycle(
        found,
        [
          "the load made at A/A.swift:1 waits for the load of its batch, which is the load made at A/A.swift:1",
          "the load made at A/A.swift:1 waits for the promise made at A/A.swift:2",
          "the promise made at A/A.swift:2 waits for the load made at A/A.swift:1",
        ])
    }
  }

  @Test("15.40 a hedge whose attempts all wait for its own limiter is reported", arguments: [1, 2])
  func hedge(attempts: Int) async throws {
    try await ExitArgument.passing(attempts) {
      await #expect(processExitsWith: .success) {
        let attempts = try ExitArgument.taken(Int.self)
        let found = await deadlock {
          let limiter = PromiseLimiter(width: 1)
          let job = limiter.run(on: .immediate, fileID: "A/A.swift", line: 1) {
            Number.hedge(after: .zero, attempts: attempts, on: .immediate, fileID: "A/A.swift", line: 2) { number in
              limiter.run(on: .immediate, fileID: "A/A.swift", line: 2 + UInt(number)) { Number(with: .value(1)) }
            }
          }
          await rest(job)
        }
        expectCycle(
          found,
          [
            "the job made at A/A.swift:1 waits for the promise made at A/A.swift:2",
            // The last attempt closes the cycle.
            "the promise made at A/A.swift:2 waits for the job made at A/A.swift:\(2 + attempts)",
            "the job made at A/A.swift:\(2 + attempts) waits for its turn in a limiter, whose place is taken by the job "
              + "made at A/A.swift:1",
          ])
      }
    }
  }

  @Test("15.40 a promise of a gate that waits for the gate's end is reported")
  func gate() async {
    await #expect(processExitsWith: .success) {
      let found = await deadlock {
        let gate = PromiseGate()
        let promise = gate.run {
          Number(fileID: "A/A.swift", line: 1) {
            try await gate.close(fileID: "A/A.swift", line: 2)
            return 1
          }
        }
        await rest(promise)
      }
      expectCycle(
        found,
        [
          "the promise made at A/A.swift:1 waits for the promise made at A/A.swift:2",
          "the promise made at A/A.swift:2 waits for the work of a gate, such as the promise made at A/A.swift:1",
        ])
    }
  }

  @Test("15.40 an async closure of a gate that waits for its end is reported")
  func gateClosure() async {
    await #expect(processExitsWith: .success) {
      let found = await deadlock {
        let gate = PromiseGate()
        Task {
          try await gate.perform(fileID: "A/A.swift", line: 2) { try await gate.close(fileID: "A/A.swift", line: 1) }
        }
      }
      expectCycle(
        found,
        [
          "the promise made at A/A.swift:1 waits for the work of a gate, such as the task in "
            + "PromiseGate.perform at A/A.swift:2",
          "the task in PromiseGate.perform at A/A.swift:2 waits for the promise made at A/A.swift:1",
        ])
    }
  }

  @Test("15.40 a turn that waits for a job of its limiter is reported")
  func turn() async {
    await #expect(processExitsWith: .success) {
      let found = await deadlock {
        let limiter = PromiseLimiter(width: 1)
        Task {
          try await limiter.perform(fileID: "A/A.swift", line: 2) {
            _ = try await limiter.run(on: .immediate, fileID: "A/A.swift", line: 1) { Number(with: .value(1)) }.value
          }
        }
      }
      expectCycle(
        found,
        [
          "the task in PromiseLimiter.perform at A/A.swift:2 waits for the job made at A/A.swift:1",
          "the job made at A/A.swift:1 waits for its turn in a limiter, whose place is taken by the task in "
            + "PromiseLimiter.perform at A/A.swift:2",
        ])
    }
  }

  @Test("15.40 two tasks that wait for each other's promises are reported")
  func twoTasks() async {
    await #expect(processExitsWith: .success) {
      let found = await deadlock {
        let (slot, isSet) = (Slot(), Latch())
        let first = Number(fileID: "A/A.swift", line: 1) {
          await isSet.wait(for: "the second promise")
          return try await slot.entries.first?.value ?? 0
        }
        let second = Number(fileID: "A/A.swift", line: 2) { try await first.value }
        slot.record(second)
        isSet.signal()
        await rest(first, second)
      }
      expectCycle(
        found,
        [
          "the promise made at A/A.swift:1 waits for the promise made at A/A.swift:2",
          "the promise made at A/A.swift:2 waits for the promise made at A/A.swift:1",
        ])
    }
  }

  @Test("15.40 a bounded when whose inputs wait for the job that contains it is reported")
  func boundedInputs() async {
    await #expect(processExitsWith: .success) {
      for context in [PromiseContext.immediate, .default] {
        let found = await deadlock {
          let limiter = PromiseLimiter(width: 1)
          let job = limiter.run(on: .immediate, fileID: "A/A.swift", line: 1) {
            when(fulfilled: [1, 2, 3], maxConcurrent: 2, on: context, fileID: "A/A.swift", line: 2) { number in
              limiter.run(on: .immediate, fileID: "A/A.swift", line: 3) { Number(with: .value(number)) }
            }.map(on: .immediate) { $0.count }
          }
          await rest(job)
        }
        expectCycle(
          found,
          [
            "the job made at A/A.swift:1 waits for the promise made at A/A.swift:2",
            "the promise made at A/A.swift:2 waits for the job made at A/A.swift:3",
            "the job made at A/A.swift:3 waits for its turn in a limiter, whose place is taken by the job made at "
              + "A/A.swift:1",
          ])
      }
    }
  }

  @Test("15.41 a bounded when with an input that can end is not reported")
  func boundedInputsWithAnotherWay() async {
    await #expect(processExitsWith: .success) {
      let heard = Recorder<PromiseDiagnostic>()
      PromiseDiagnostics.level = .report
      PromiseDiagnostics.handler = { heard.record($0) }
      let (limiter, probe) = (PromiseLimiter(width: 1), CancelProbe<Int, any Error>())
      let job = limiter.run(on: .immediate) {
        when(fulfilled: [1, 2, 3], maxConcurrent: 2, on: .immediate) { number in
          number == 1 ? limiter.run(on: .immediate) { Number(with: .value(1)) } : probe.promise
        }.map(on: .immediate) { $0.count }
      }
      probe.resolver.reject(with: Refusal.first)
      await until("the job to end") { job.result != nil }
      if !heard.entries.isEmpty { Issue.record("heard \(heard.entries)") }
    }
  }

  @Test("15.40 a job or load that blocks for its own limiter or key is reported")
  func blockingWork() async {
    await #expect(processExitsWith: .success) {
      let limiter = PromiseLimiter(width: 1)
      let ofJob = await deadlock {
        let job = limiter.run(on: .default, fileID: "A/A.swift", line: 1) {
          let inner = limiter.run(on: .default, fileID: "A/A.swift", line: 2) { Number(fulfilled: 1) }
          return Number(fulfilled: (try? inner.wait()) ?? 0)
        }
        await rest(job)
      }
      #expect(ofJob.count == 2)
      #expect(ofJob.contains { $0.hasPrefix("the job made at A/A.swift:1 is blocked in its callback by a wait") })
      let ofLoad = await deadlock {
        let (cache, slot, isSet) = (Cache(), Slot(), DispatchSemaphore(value: 0))
        slot.record(
          cache.promise(for: "a", on: .default, fileID: "A/A.swift", line: 1) { _ in
            _ = isSet.wait(timeout: .now() + waitLimit)
            return Number(fulfilled: (try? slot.entries[0].wait()) ?? 0)
          })
        isSet.signal()
        await rest(cache)
      }
      #expect(ofLoad.count == 1)
      #expect(ofLoad[0].hasPrefix("the load made at A/A.swift:1 is blocked in its callback by a wait"))
      #expect(ofLoad[0].hasSuffix(" for itself"))
    }
  }
}
