// An exploring build replaces this file: `Tests/Exploration/Seam`.
/// A value behind a lock. A thread that waits for the lock sleeps.
///
/// No user code may run under the lock. A release may run user code, because it may release the last reference to an
/// object of the user. So a closure returns the objects that it takes out or replaces, and these objects are released
/// after the unlocking. A debug build stops the program if a thread takes a lock that it already has.
@safe
@usableFromInline
package struct Guarded<Value>: ~Copyable, @unchecked Sendable {
  // Sendable: one thread at a time uses the value, which is sent to the thread and back.

  @usableFromInline let lock: Lock
  @usableFromInline let value: Interior<Value>

  @inlinable
  package init(_ value: consuming sending Value) {
    lock = Lock()
    self.value = Interior(value)
  }

  // Inlinable, because unspecialised code would take and give the value through its witnesses.
  @inlinable
  package borrowing func withLock<Result: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result {
    // Unsafe, all of it: a borrowed value does not move, and only the thread with the lock uses the value.
    lock.take()
    // A separate pointer, because ThreadSanitizer would take `value.address.pointee` for a change of the whole struct,
    // including the lock.
    nonisolated(unsafe) let value = unsafe value.address
    do throws(E) {
      let result = try unsafe body(&value.pointee)
      lock.give()
      // Without this line, the optimiser would release an ignored result before the unlocking.
      withExtendedLifetime(result) {}
      return result
    } catch {
      lock.give()
      throw error
    }
  }
}
