internal import Builtin
internal import COvermorrowSystem

// An exploring build has another one: `Tests/Exploration/Seam`.
/// A value behind a lock. Whoever waits for the lock sleeps.
@safe
package struct Guarded<Value>: ~Copyable, @unchecked Sendable {
  // Sendable: the value is used by one thread at a time, and sent to it and away from it.

  private let lock: Interior<UInt32>
  private let value: Interior<Value>

  package init(_ value: consuming sending Value) {
    lock = Interior(0)
    self.value = Interior(value)
  }

  package borrowing func withLock<Result: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result {
    // Unsafe, all of it: neither moves while it is borrowed, and the value is this thread's until the lock is given back.
    unsafe overmorrow_lock_take(lock.address)
    defer { unsafe overmorrow_lock_give(lock.address) }
    // A pointer of its own: ThreadSanitizer would take `value.address.pointee` for a change of all that is here, the lock too.
    nonisolated(unsafe) let value = unsafe value.address
    return try unsafe body(&value.pointee)
  }
}

/// Memory for a value, which may change while others have borrowed it.
///
/// Other modules have to know that it ends with its value: a private one they would not end.
@safe
@usableFromInline
@_rawLayout(like: Value, movesAsLike)
struct Interior<Value>: ~Copyable {
  // Unsafe, here and below: the raw layout is that of a value, and initialised from the beginning to the end.
  @inline(__always)
  var address: UnsafeMutablePointer<Value> {
    unsafe UnsafeMutablePointer(Builtin.addressOfRawLayout(self))
  }

  init(_ value: consuming Value) { unsafe address.initialize(to: value) }

  deinit { unsafe address.deinitialize(count: 1) }
}
