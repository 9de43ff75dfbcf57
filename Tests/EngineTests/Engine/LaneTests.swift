import Dispatch
import Foundation
import Testing

@testable import Overmorrow

@Suite(.inTurn) struct LaneTests {
  private static let lanes = Guarded<[Lane]>([])

  /// Makes a lane that is never deallocated, like those of the library, because a thread that has filled slots accesses
  /// the lane when it ends.
  private static func makeLane() -> Lane {
    let lane = Lane(.global(qos: .utility), number: 1)
    lanes.withLock { $0.append(lane) }
    return lane
  }

  @Test(
    "8.5 work that waits for a global queue is taken exactly once, the oldest first",
    arguments: [(3, 2), (5 * Slab.capacity + 1, 3 * Slab.capacity)])
  func takenOnce(count: Int, each: Int) async throws {
    let lane = Self.makeLane()
    let ran = Recorder<Int>()
    let slots = try await onOwnThread("slots to be filled") {
      (0..<count).map { index in lane.put(WorkItem { ran.record(index) }) }
    }
    #expect(lane.isAnyWaiting)
    // The first item of each group is left to spare threads.
    let inTime = (0..<count).filter { !$0.isMultiple(of: each) }
    let late = (0..<count).filter { $0.isMultiple(of: each) }
    for index in inTime { slots[index].endTurn()?.run() }
    while let item = lane.takeAny() { item.run() }
    #expect(!lane.isAnyWaiting)
    for index in late { #expect(slots[index].endTurn() == nil) }
    #expect(ran.entries == inTime + late)
  }

  @Test("8.5 work of many threads runs once, even when spare threads take some")
  func manyThreads() async throws {
    let (threads, each) = (4, 5_000)
    let counts = (0..<threads * each).map { _ in Counter() }
    let done = Latch(threads * each)
    let gate = CancelProbe<Int, any Error>()
    let (promise, value) = (gate.promise, Promise<Int, any Error>(fulfilled: 1))
    // A spare thread runs while this thread is blocked.
    let blocked = Thread { _ = promise.waitForResult(timeout: .seconds(60)) }
    blocked.start()
    for thread in 0..<threads {
      Thread.detachNewThread {
        for index in thread * each..<(thread + 1) * each {
          value.then(on: index.isMultiple(of: 2) ? .utility : .userInitiated) { _ in
            counts[index].increment()
            done.signal()
          }
        }
      }
    }
    await done.wait(for: "\(threads * each) callbacks")
    gate.resolver.fulfill(with: 1)
    #expect(counts.allSatisfy { $0.count == 1 })
  }

  #if os(macOS) || os(Linux)
    @Test("8.5 a step behind blocked threads runs if it was submitted before the wait")
    func queuedBefore() async {
      await #expect(processExitsWith: .success) {
        let (blockade, done) = (DispatchSemaphore(value: 0), Latch())
        for _ in 0..<600 { DispatchQueue.global(qos: .utility).async { blockade.wait() } }
        let step = Promise<Int, any Error>(fulfilled: 1).map(on: .utility) { $0 + 1 }
        Thread.detachNewThread {
          if (try? step.wait(timeout: .seconds(30))) == 2 { done.signal() }
        }
        await done.wait(for: "a step behind threads that are blocked")
      }
    }
  #endif
}
