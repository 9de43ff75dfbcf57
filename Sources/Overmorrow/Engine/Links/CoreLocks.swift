/// A few locks for many cores: each core has one of them, by its address.
///
/// A `Mutex` lends the priority of those who wait to the thread that holds it, on Linux and on Apple's platforms; a bit in
/// a word that others look at again and again would not.
struct CoreLocks: Sendable {
  private final class Lock: Sendable {
    let lock = Guarded(())
  }

  private let locks: [Lock]

  /// - Parameter count: How many there are: a power of two.
  init(count: Int) { locks = (0..<count).map { _ in Lock() } }

  private func lock(of core: CoreRef) -> Lock {
    #if EXPLORING
      locks[core.number & (locks.count - 1)]
    #else
      locks[Int(truncatingIfNeeded: core.address >> 6) & (locks.count - 1)]
    #endif
  }

  func withLock<Result: Sendable>(of core: CoreRef, _ body: @Sendable () -> Result) -> Result {
    lock(of: core).lock.withLock { _ in body() }
  }

  /// Waits for whoever has the lock now.
  func wait(for core: CoreRef) { lock(of: core).lock.withLock { _ in } }
}
