internal import COvermorrowSystem

/// Counts things from any thread.
@safe package final class Counter: @unchecked Sendable {
  // Sendable: the word is only used by the atomic operations below.
  private let word = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  package init() { unsafe word.initialize(to: 0) }

  deinit { unsafe word.deallocate() }

  package var count: Int {
    // Unsafe, as in what follows: the word lives as long as the counter. The numbers are the memory orders of C.
    Int(truncatingIfNeeded: unsafe overmorrow_atomic_load(word, MemoryLayout<Int>.size, 2))
  }

  /// Adds to the count, and returns the new one.
  @discardableResult
  package func increment(by number: Int = 1) -> Int {
    let bits = UInt64(bitPattern: Int64(number))
    return Int(truncatingIfNeeded: unsafe overmorrow_atomic_add(word, MemoryLayout<Int>.size, bits, 4)) + number
  }
}
