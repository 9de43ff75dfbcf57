internal import COvermorrowSystem

// The seam between the engine and the explorer: this file and those of `Atomic`, `Lock` and `Guarded`.
//
// In a normal build, the compiler removes the calls that only the explorer needs. An exploring build replaces these
// four files by `Tests/Exploration/Seam`, where a scheduler decides at each access which thread continues and which
// value a load sees (`Documentation/0009`).

enum Seam {
  /// Returns whether the explorer takes this work, which was meant for a global queue.
  @inline(__always)
  static func takes(_ work: @autoclosure @escaping @Sendable () -> Void) -> Bool { false }

  /// Keeps the memory of an object from being reused while the explorer may read it.
  @inline(__always)
  static func keep(_ object: AnyObject) {}

  /// Returns the initial value of a word that a program computes once. In an exploring build, the value is known from
  /// the start, because all executions must be alike.
  @inline(__always)
  static func initial(_ word: UInt) -> UInt { word }

  /// The number of the thread. In an exploring build, the number among the threads of a program.
  @inline(__always)
  static var thread: UInt32 { overmorrow_thread_number() }

  /// Returns the number of the seats of a lock. In an exploring build, there are two.
  @inline(__always)
  static func seats(_ number: Int) -> Int { number }
}

/// A field that only one thread at a time may use. The explorer checks this rule. The type is not a property wrapper,
/// because ThreadSanitizer would take the setter for a change of the whole core.
@usableFromInline
struct Watched<Value> {
  @usableFromInline var value: Value

  @inline(__always)
  init(_ value: Value) { self.value = value }
}

/// The explorer's record of a core.
@usableFromInline
struct CoreWatch: ~Copyable {
  /// Names the words for the explorer.
  @inline(__always)
  init(
    state: borrowing Atomic<UInt>, link: borrowing Atomic<UInt>, votes: borrowing Atomic<UInt32>,
    count: borrowing Atomic<UInt32>, place: borrowing Atomic<UInt>
  ) {}

  /// Records for the explorer that the payload is about to be read.
  @inlinable
  @inline(__always)
  func willReadPayload() {}

  /// Records for the explorer that the payload is about to be changed.
  @inlinable
  @inline(__always)
  func willChangePayload() {}
}

/// The memory of cores.
enum CoreMemory {
  /// Allocates memory, and returns the size class that is needed to free the memory. The C code stops the program if
  /// there is no memory.
  @inline(__always)
  static func allocate(bytes: Int) -> (memory: UnsafeMutableRawPointer, sizeClass: UInt32) {
    let sizeClass = overmorrow_size_class(bytes)
    // Unsafe: `free` returns the memory, with the same size class.
    return unsafe (overmorrow_allocate(sizeClass, bytes), sizeClass)
  }

  /// Frees memory. Unsafe: the caller got the memory from `allocate`, with this size class, and nothing uses it again.
  @inline(__always)
  static func free(_ memory: UnsafeMutableRawPointer, _ sizeClass: UInt32) { unsafe overmorrow_free(memory, sizeClass) }
}
