internal import Builtin
internal import COvermorrowSystem

// An exploring build replaces this file: `Tests/Exploration/Seam`.
/// A value behind a lock. A thread that waits for the lock sleeps.
@safe
package struct Guarded<Value>: ~Copyable, @unchecked Sendable {
  // Sendable: one thread at a time uses the value, which is sent to the thread and back.

  private let lock: Interior<UInt32>
  private let value: Interior<Value>

  package init(_ value: consuming sending Value) {
    lock = Interior(0)
    self.value = Interior(value)
  }

  package borrowing func withLock<Result: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result {
    // Unsafe, all of it: a borrowed lock and its value do not move, and only the thread with the lock uses the value.
    unsafe overmorrow_lock_take(lock.address)
    defer { unsafe overmorrow_lock_give(lock.address) }
    // A separate pointer, because ThreadSanitizer would take `value.address.pointee` for a change of the whole struct,
    // including the lock.
    nonisolated(unsafe) let value = unsafe value.address
    return try unsafe body(&value.pointee)
  }
}

/// Memory for a value that can change while it is borrowed.
///
/// It is visible to other modules, because they would not deinitialise a value of a private type.
@safe
@usableFromInline
@_rawLayout(like: Value, movesAsLike)
struct Interior<Value>: ~Copyable {
  // Unsafe, here and below: the raw layout is that of a value, which is initialised for the whole lifetime.
  @inline(__always)
  var address: UnsafeMutablePointer<Value> {
    unsafe UnsafeMutablePointer(Builtin.addressOfRawLayout(self))
  }

  init(_ value: consuming Value) { unsafe address.initialize(to: value) }

  deinit { unsafe address.deinitialize(count: 1) }
}
