import Dispatch
import Foundation
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

/// A value that several threads read at the same time.
@Suite(.inTurn) struct ReadMostlyTests {
  /// Two numbers that are equal between two changes.
  private struct Pair: ~Copyable, Sendable {
    var first = 0
    var second = 0
    let tracked: Tracker.Tracked?
  }

  private final class Numbers: Sendable {
    let content: ReadMostly<Pair>

    init(isShared: Bool = true, _ tracked: Tracker.Tracked? = nil) {
      content = ReadMostly(Pair(tracked: tracked), isShared: isShared)
    }

    var isOpen: Bool { content.isOpenForReaders }
    var count: Int { content.count }

    /// Returns whether the numbers are equal, and counts the reading.
    func reads() -> Bool {
      content.read { pair, count in
        count += 1
        return pair.first == pair.second
      }
    }

    func change() {
      content.withLock { pair in
        pair.first += 1
        pair.second += 1
      }
    }
  }

  @Test("readers and writers in turn see all changes and count all readings")
  func turns() {
    let numbers = Numbers()
    for round in 1...100 {
      if round % 3 == 0 { numbers.content.openForReaders() }
      #expect(numbers.isOpen == (round % 3 == 0))
      #expect(numbers.reads() && numbers.reads())
      numbers.change()
      #expect(!numbers.isOpen)
      let first = numbers.content.read { pair, _ in pair.first }
      #expect(first == round)
      #expect(numbers.count == 2 * round)
    }
  }

  @Test("a lock that is not shared is never open for readers")
  func unshared() {
    let numbers = Numbers(isShared: false)
    numbers.content.openForReaders()
    #expect(!numbers.isOpen && numbers.reads() && numbers.count == 1)
  }

  @Test("readers that often meet open a lock that may be shared, and no other", arguments: [true, false])
  func meetings(isShared: Bool) async {
    /// Reads until the lock is open. Another thread runs during a reading, and so meets this one.
    @Sendable func read(_ numbers: Numbers) {
      for _ in 0..<20_000 where !numbers.isOpen { numbers.content.read { _, _ in _ = sched_yield() } }
    }
    await race(
      rounds: 3, { Numbers(isShared: isShared) }, { read($0) }, { read($0) },
      check: { $0.isOpen == isShared ? nil : "isOpen is \($0.isOpen)" })
  }

  @Test("two threads read at the same time if the lock is open")
  func together() {
    let numbers = Numbers()
    numbers.content.openForReaders()
    let hasRead = DispatchSemaphore(value: 0)
    let isInTime = numbers.content.read { _, _ in
      // Some of the threads have the seat of this one.
      for _ in 0..<16 {
        Thread {
          if numbers.reads() { hasRead.signal() }
        }.start()
      }
      return hasRead.wait(timeout: .now() + waitLimit) == .success
    }
    #expect(isInTime, "no other thread read the value within \(waitLimit)")
  }

  @Test("a value that readers have shared is freed with its lock")
  func ends() {
    let tracker = Tracker()
    func hold() {
      let numbers = Numbers(tracker.make())
      numbers.content.openForReaders()
      #expect(numbers.reads() && tracker.count == 1)
    }
    hold()
    #expect(tracker.count == 0)
  }

  @Test("readers of an open lock see whole changes, and all of them are counted")
  func races() async {
    let rounds = 200
    await race(
      rounds: 500, { Numbers() },
      { numbers in
        for round in 0..<rounds {
          if round % 20 == 0 { numbers.change() }
          if round % 10 == 5 { numbers.content.openForReaders() }
        }
      },
      { numbers in for _ in 0..<rounds where !numbers.reads() { numbers.content.withLock { $0.first = -1_000_000 } } },
      { numbers in for _ in 0..<rounds where !numbers.reads() { numbers.content.withLock { $0.first = -1_000_000 } } },
      check: { numbers in
        let found = numbers.content.read { pair, _ in [pair.first, pair.second] }
        let expected = [rounds / 20, rounds / 20]
        if found != expected { return "\(found), and not \(expected)" }
        return numbers.count == 2 * rounds ? nil : "\(numbers.count) readings"
      })
  }
}
