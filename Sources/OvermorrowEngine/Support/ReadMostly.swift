/// A value behind a lock, and a count. If threads often meet at the lock in order to read the value, they read it at
/// the same time.
///
/// A closure that runs under the lock follows the rules of ``Guarded``.
@safe
@usableFromInline
package struct ReadMostly<Value: ~Copyable & Sendable>: ~Copyable, @unchecked Sendable {
  // Sendable: either one thread changes the value, or threads read it. See `ReadLock`.

  @usableFromInline let lock: ReadLock
  @usableFromInline let value: Interior<Value>

  /// - Parameter isShared: Whether several threads may read the value at the same time.
  @inlinable
  package init(_ value: consuming Value, isShared: Bool) {
    lock = ReadLock(isShared: isShared)
    self.value = Interior(value)
  }

  // Inlinable, because unspecialised code would take and give the value through its witnesses.
  /// Runs a closure that may change the value, while no other thread uses the value.
  @inlinable
  package borrowing func withLock<Result: ~Copyable>(
    _ body: (inout sending Value) -> sending Result
  ) -> sending Result {
    lock.take()
    // Unsafe, here and below: a borrowed value does not move, and the lock admits either one change or reads.
    nonisolated(unsafe) let value = unsafe value.address
    let result = unsafe body(&value.pointee)
    lock.give()
    // Without this line, the optimiser would release an ignored result before the unlocking.
    withExtendedLifetime(result) {}
    return result
  }

  /// Runs a closure that reads the value, and that may add to the count.
  @inlinable
  package borrowing func read<Result: ~Copyable>(
    _ body: (borrowing Value, _ count: inout Int) -> sending Result
  ) -> sending Result {
    let seat = unsafe lock.takeSeat()
    nonisolated(unsafe) let value = unsafe value.address
    // A separate pointer, because ThreadSanitizer would take a use of the count for a change of the whole seat.
    nonisolated(unsafe) let count = unsafe seat.pointee.count.address
    let result = unsafe body(value.pointee, &count.pointee)
    unsafe lock.giveSeat(seat)
    withExtendedLifetime(result) {}
    return result
  }

  /// The sum of all additions to the count. While threads add to the count, the sum contains what they added before
  /// this call, and perhaps what they add during the call.
  package var count: Int { lock.count }

  /// Lets threads read the value at the same time until the next change, as if they had often met at the lock.
  package func openForReaders() { lock.openForReaders() }

  /// Whether threads read the value at the same time.
  package var isOpenForReaders: Bool { lock.isOpen }
}
