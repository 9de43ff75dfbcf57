/// The locks that threads hold while they take waiters out of a list: see `Core+Leaving.swift`.
///
/// Under such a lock no user code runs, no memory is allocated or freed, and no other lock is taken but that of the ties of a waiter. It is
/// held for as long as it takes to walk over those who have registered since the last one left.
enum Departures {
  private static let locks = CoreLocks(count: 64)

  static func withLock<Result: Sendable>(of core: CoreRef, _ body: @Sendable () -> Result) -> Result {
    locks.withLock(of: core, body)
  }

  /// Waits for those who have the lock now.
  static func wait(for core: CoreRef) { locks.wait(for: core) }
}
