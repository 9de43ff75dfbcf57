import Dispatch
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

/// A lock-protected value in a module other than the engine's.
@Suite(.inTurn) struct GuardedTests {
  private final class Holder<Value: Sendable>: Sendable {
    let content: Guarded<Value>

    init(_ value: Value) { content = Guarded(value) }
  }

  @Test("a value behind a lock is freed with the lock, even in generic code")
  func ends() {
    let tracker = Tracker()
    func hold() -> [Int] {
      let local = Guarded(tracker.make())
      let generic = Holder([tracker.make(), tracker.make()])
      generic.content.withLock { $0.append(tracker.make()) }
      local.withLock { $0 = tracker.make() }
      return [tracker.count, generic.content.withLock { $0.count }]
    }
    #expect(hold() == [4, 3])
    #expect(tracker.count == 0)
  }

  @Test("one thread at a time has access to the value behind a lock")
  func excludes() {
    let numbers = Holder((count: 0, sum: 0))
    let rounds = scaled(20_000)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<rounds {
        numbers.content.withLock { numbers in
          numbers.count += 1
          numbers.sum += numbers.count
        }
      }
    }
    let count = 4 * rounds
    #expect(numbers.content.withLock { [$0.count, $0.sum] } == [count, count * (count + 1) / 2])
  }

  #if DEBUG
    @Test("11.4 a debug build stops a thread that takes a lock which it already has")
    func reentered() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let outer = Guarded(0)
        outer.withLock { _ in outer.withLock { _ in } }
      }
      #expect(hasSaid(result, "user code has run under the lock"))
    }
  #endif
}
