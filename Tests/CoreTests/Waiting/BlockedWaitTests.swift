#if os(macOS) || os(Linux)
  import Dispatch
  import OvermorrowEngine
  import Testing

  @testable import Overmorrow
  @testable import OvermorrowDiagnostics

  /// Cycles of waits that go through blocking waits. Each test runs in its own process, because the level and the
  /// handler are global, and because its threads stay blocked.
  @Suite(.heavy, .enabled(if: isLevelUnset)) struct BlockedWaitTests {
    private typealias Number = Promise<Int, any Error>

    /// The line of the wait in ``block(_:)``.
    private static let waitLine = #line + 4

    /// Blocks the calling thread until a promise is resolved.
    private static func block(_ promise: Number, every interval: Duration = .milliseconds(5)) -> Int {
      let result = try? promise.block(until: nil, lookingEvery: interval)
      return result?.value ?? 0
    }

    /// A signal that a thread waits for.
    private final class Signal: Sendable {
      private let semaphore = DispatchSemaphore(value: 0)

      func send() { semaphore.signal() }

      func wait() { precondition(semaphore.wait(timeout: .now() + waitLimit) == .success, "no signal was sent") }
    }

    /// A promise that code gets before the promise exists.
    private final class Slot: Sendable {
      private let (slot, isSet) = (Holder<Number>(), Signal())

      func set(_ promise: Number) {
        slot.value = promise
        isSet.send()
      }

      /// Blocks until there is a promise, and returns it.
      func wait() -> Number {
        isSet.wait()
        return slot.value ?? Number(with: .cancelled)
      }
    }

    private static func step(_ line: UInt, on context: PromiseContext) -> Number {
      Number(fulfilled: 1, fileID: "A/A.swift", line: line).map(on: context) { $0 }
    }

    /// Records the reported cycles from now on. Call this only in a process of its own.
    private static func listen() -> (heard: Recorder<[String]>, isFound: Latch) {
      let (heard, isFound) = (Recorder<[String]>(), Latch())
      PromiseDiagnostics.level = .report
      PromiseDiagnostics.handler = {
        guard case .deadlock(_, let cycle) = $0 else { return }
        heard.record(cycle)
        isFound.signal()
      }
      return (heard, isFound)
    }

    /// Runs a closure, and returns the first reported cycle. The cycle begins with the entry that sorts first.
    private static func deadlock(_ body: () -> Void) async -> [String] {
      let (heard, isFound) = listen()
      body()
      await isFound.wait(for: "the report of a deadlock")
      let cycle = heard.entries.first ?? []
      guard let first = cycle.indices.min(by: { cycle[$0] < cycle[$1] }) else { return [] }
      return Array(cycle[first...] + cycle[..<first])
    }

    private static var place: String { "by a wait\(placeOfWait) for" }
    private static var placeOfWait: String { Symbols.areKnown ? " at BlockedWaitTests.swift:\(waitLine)" : "" }

    @Test("15.40 the main queue and a callback that block each other are reported")
    func mainAndCallback() async {
      await #expect(processExitsWith: .success) {
        let found = await Self.deadlock {
          let queue = DispatchQueue(label: "work")
          let isOnMain = Signal()
          let promise = Number(fulfilled: 1, fileID: "A/A.swift", line: 1).map(on: .queue(queue)) { _ in
            isOnMain.wait()
            return Self.block(Self.step(2, on: .main))
          }
          DispatchQueue.main.async {
            isOnMain.send()
            _ = Self.block(promise)
          }
        }
        #expect(
          found == [
            "the main queue is blocked \(Self.place) the promise made at A/A.swift:1",
            "the promise made at A/A.swift:1 is blocked in its callback \(Self.place) the promise made at A/A.swift:2",
            "the promise made at A/A.swift:2 waits for the main queue",
          ])
      }
    }

    @Test("15.40 two serial queues that block each other are reported")
    func twoQueues() async {
      await #expect(processExitsWith: .success) {
        let found = await Self.deadlock {
          let (one, two) = (DispatchQueue(label: "one"), DispatchQueue(label: "two"))
          let (first, second) = (Slot(), Slot())
          // A body may be in the way of its promise without being needed by it, so only the queues count.
          for (queue, own, other, line) in [(one, first, second, UInt(1)), (two, second, first, 2)] {
            _ = Number(on: .queue(queue), fileID: "A/A.swift", line: 9) { resolver in
              own.set(Self.step(line, on: .queue(queue)))
              resolver.fulfill(with: Self.block(other.wait()))
            }
          }
        }
        #expect(
          found == [
            "the promise made at A/A.swift:1 waits for the queue one",
            "the queue one is blocked \(Self.place) the promise made at A/A.swift:2",
            "the promise made at A/A.swift:2 waits for the queue two",
            "the queue two is blocked \(Self.place) the promise made at A/A.swift:1",
          ])
      }
    }

    @Test("15.40 a callback that blocks for its own promise is reported")
    func ownPromise() async {
      await #expect(processExitsWith: .success) {
        let queue = DispatchQueue(label: "work", attributes: .concurrent)
        for (context, limit) in [(PromiseContext.queue(queue), Duration?.some(.seconds(1))), (.default, nil)] {
          PromiseDiagnostics.stallLimit = limit
          let found = await Self.deadlock {
            let slot = Slot()
            let promise = Number(fulfilled: 1, fileID: "A/A.swift", line: 1).map(on: context) { _ in
              Self.block(slot.wait())
            }
            slot.set(promise.map(on: .default) { $0 })
          }
          #expect(found == ["the promise made at A/A.swift:1 is blocked in its callback \(Self.place) itself"])
        }
      }
    }

    @Test("15.40 a task that blocks for a task that awaits its promise is reported")
    func tasks() async {
      await #expect(processExitsWith: .success) {
        let found = await Self.deadlock {
          let slot = Slot()
          let promise = Number(fileID: "A/A.swift", line: 1) { Self.block(slot.wait()) }
          slot.set(Number(fileID: "A/A.swift", line: 2) { try await promise.value })
        }
        #expect(
          found == [
            "the promise made at A/A.swift:1 is blocked \(Self.place) the promise made at A/A.swift:2",
            "the promise made at A/A.swift:2 waits for the promise made at A/A.swift:1",
          ])
      }
    }

    @Test("15.40 a cycle that closes during a blocking wait is reported at the next look")
    func later() async {
      await #expect(processExitsWith: .success) {
        let (heard, isFound) = Self.listen()
        let queue = DispatchQueue(label: "work")
        let (isRunning, isBlocked) = (Latch(), Latch())
        let (source, resolver) = Number.makeWithResolver(fileID: "A/A.swift", line: 2)
        // The result of the source could pass the step by, so the step does not need the main queue yet.
        let step = source.map(on: .main) { $0 }
        let promise = Number(fulfilled: 1, fileID: "A/A.swift", line: 1).map(on: .queue(queue)) { _ in
          isRunning.signal()
          return Self.block(step)
        }
        await isRunning.wait(for: "the callback")
        DispatchQueue.main.async {
          isBlocked.signal()
          _ = Self.block(promise)
        }
        await isBlocked.wait(for: "the main queue")
        await until("the main queue to be blocked") { BlockedWait.blocking(.main) != nil }
        #expect(heard.entries.isEmpty)
        resolver.fulfill(with: 1)
        await isFound.wait(for: "the report of a deadlock")
        #expect(heard.entries.first?.count == 3)
      }
    }

    @Test("15.40 a cycle of blocking waits is reported once, and not as long waits")
    func once() async {
      await #expect(processExitsWith: .success) {
        let heard = Recorder<PromiseDiagnostic>()
        PromiseDiagnostics.level = .report
        PromiseDiagnostics.handler = { heard.record($0) }
        let (isMainBlocked, isLater) = (Signal(), Latch())
        let queue = DispatchQueue(label: "work")
        let promise = Number(fulfilled: 1).map(on: .queue(queue)) { _ in
          isMainBlocked.wait()
          return Self.block(Self.step(2, on: .main))
        }
        DispatchQueue.main.async { _ = Self.block(promise, every: .seconds(60)) }
        await until("the main queue to be blocked") { BlockedWait.blocking(.main) != nil }
        isMainBlocked.send()
        await until("the report of a deadlock") { !heard.entries.isEmpty }
        // The callback looks some more times, and its wait becomes long.
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { isLater.signal() }
        await isLater.wait(for: "some looks")
        #expect(heard.entries.map(\.withoutPlace) == [.deadlock(origin: nil, cycle: [])])
      }
    }

    @Test("15.40 the end of a nested blocking wait restores the wait around it")
    func nested() async {
      await #expect(processExitsWith: .success) {
        PromiseDiagnostics.level = .report
        let (pending, slot) = (Number.makeWithResolver(), Slot())
        let found = Recorder<Bool>()
        let check: @Sendable (WaitNode) -> Void = { node in
          let outer = BlockedWait.begin(for: pending.0.handle.core)
          let inner = BlockedWait.begin(for: pending.0.handle.core)
          found.record(outer != nil && inner != nil && node.blockedWait === inner)
          inner?.end()
          found.record(node.blockedWait === outer)
          outer?.end()
          found.record(node.blockedWait == nil)
        }
        slot.set(
          Number(fulfilled: 1).map(on: .default) { number in
            check(WaitNode(slot.wait()))
            return number
          })
        let task = Task { check(WaitNode(task: CurrentTask.number ?? 0)) }
        await task.value
        await until("the callback has run") { found.entries.count == 6 }
        #expect(found.entries.allSatisfy { $0 } && !BlockedWait.exists)
        pending.1.fulfill(with: 1)
      }
    }

    /// Blocks the main queue until a promise is resolved. Sends a signal from the main queue before.
    private static func blockMain(for promise: Number, _ isMainBlocked: Signal) async -> Int {
      await MainActor.run {
        isMainBlocked.send()
        return block(promise)
      }
    }

    @Test("15.41 blocking waits that can end are in no reported cycle")
    func otherWays() async {
      await #expect(processExitsWith: .success) {
        let (heard, _) = Self.listen()
        let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let serial = DispatchQueue(label: "serial")
        // The queue is concurrent, so the step runs while the callback of the first promise waits for it.
        let own = Number(fulfilled: 1).map(on: .queue(concurrent)) { _ in
          Self.block(Self.step(1, on: .queue(serial)).map(on: .queue(concurrent)) { $0 })
        }
        await until("the wait for a step of the same queue to end") { own.result != nil }
        // The main queue waits for a callback that waits for the main queue with a limit.
        let isMainBlocked = Signal()
        let limited = Number(fulfilled: 1).map(on: .queue(serial)) { _ in
          isMainBlocked.wait()
          return Self.step(2, on: .main).waitForResult(timeout: .milliseconds(50))?.value ?? 7
        }
        #expect(await Self.blockMain(for: limited, isMainBlocked) == 7)
        // A timer ends the promise for which the callback waits.
        let timed = Number(fulfilled: 1).map(on: .queue(serial)) { _ in
          isMainBlocked.wait()
          return Self.block(Self.step(3, on: .main).timeout(on: .default, .milliseconds(50)))
        }
        #expect(await Self.blockMain(for: timed, isMainBlocked) == 0)
        if !heard.entries.isEmpty { Issue.record("heard \(heard.entries)") }
        #expect(!BlockedWait.exists && BlockedWait.blocking(.main) == nil)
      }
    }
  }
#endif
