internal import COvermorrowSystem

// Where the engine meets whoever explores it: this file and those of `Atomic` and `Guarded`.
//
// In every normal build nothing of this is left in what the compiler makes. An exploring build has `Tests/Exploration/Seam` in the
// place of these three files, so that a scheduler decides, at each access, which thread goes on and which value a load sees.
// `Documentation/0009` says how that is used.

enum Seam {
  /// Whether an explorer runs work that was for a global queue.
  @inline(__always)
  static func takes(_ work: @autoclosure @escaping @Sendable () -> Void) -> Bool { false }

  /// Keeps the memory of an object from being used anew as long as an explorer may look at it.
  @inline(__always)
  static func keep(_ object: AnyObject) {}

  /// How many slots a slab has: few, where all of that is to be explored.
  @inline(__always)
  static func slabCapacity(_ usual: Int) -> Int { usual }

  /// A word that is to be found out once in a program: known, where executions are to be alike.
  @inline(__always)
  static func atFirst(_ word: UInt) -> UInt { word }
}

/// A field that one thread at a time may use, which an explorer checks. No property wrapper: its setter would take the whole core to
/// be changed, for ThreadSanitizer.
@usableFromInline
struct Watched<Value> {
  @usableFromInline var value: Value

  @inline(__always)
  init(_ value: Value) { self.value = value }
}

/// What an explorer keeps of a core.
@usableFromInline
struct CoreWatch: ~Copyable {
  /// Tells an explorer how the words are called.
  @inline(__always)
  init(
    state: borrowing Atomic<UInt>, link: borrowing Atomic<UInt>, votes: borrowing Atomic<UInt32>,
    count: borrowing Atomic<UInt32>, place: borrowing Atomic<UInt>, rank: borrowing Atomic<Int32>
  ) {}

  /// The payload is about to be read: noted by an explorer, and nothing else.
  @inlinable
  @inline(__always)
  func willReadPayload() {}

  /// The payload is about to be changed.
  @inlinable
  @inline(__always)
  func willChangePayload() {}
}

/// The memory of cores.
enum CoreMemory {
  /// Memory, and the size class to give it back by. The C code stops the program when there is none.
  @inline(__always)
  static func allocate(bytes: Int) -> (memory: UnsafeMutableRawPointer, sizeClass: UInt32) {
    let sizeClass = overmorrow_size_class(bytes)
    // Unsafe: `free` gives it back, by the same size class.
    return unsafe (overmorrow_allocate(sizeClass, bytes), sizeClass)
  }

  /// Gives memory back. Unsafe: the caller has it from `allocate`, with this size class, and nothing uses it any more.
  @inline(__always)
  static func free(_ memory: UnsafeMutableRawPointer, _ sizeClass: UInt32) { unsafe overmorrow_free(memory, sizeClass) }
}
