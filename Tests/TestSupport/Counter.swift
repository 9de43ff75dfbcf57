internal import COvermorrowSystem

/// A counter that any thread may increment.
@safe package final class Counter: @unchecked Sendable {
  // Sendable because only the atomic operations below access the word.
  private let word = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  package init() { unsafe word.initialize(to: 0) }

  deinit { unsafe word.deallocate() }

  package var count: Int {
    // Unsafe here and below: the word lives as long as the counter. The integer arguments are the memory orders of C.
    Int(truncatingIfNeeded: unsafe overmorrow_atomic_load(word, MemoryLayout<Int>.size, 2))
  }

  /// Adds to the count and returns the new count.
  @discardableResult
  package func increment(by number: Int = 1) -> Int {
    let bits = UInt64(bitPattern: Int64(number))
    return Int(truncatingIfNeeded: unsafe overmorrow_atomic_add(word, MemoryLayout<Int>.size, bits, 4)) + number
  }
}
