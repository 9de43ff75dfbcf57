/// The locks that threads hold while they borrow a request word, and which others wait for that find it borrowed (R4).
///
/// A `Mutex` lends the priority of those who wait to the thread that holds it, on Linux and on Apple's platforms; a bit in
/// a word that others look at again and again would not. Under such a lock nothing but a count is made: no memory is
/// allocated, no list is walked, no other lock is taken. Few words are ever borrowed at the same time, so few locks do.
enum Borrowing {
  private final class Lock: Sendable {
    let lock = Guarded(())
  }

  private static let locks = (0..<16).map { _ in Lock() }

  private static func lock(of core: CoreRef) -> Lock {
    #if EXPLORING
      locks[core.number & 15]
    #else
      locks[Int(truncatingIfNeeded: core.address >> 6) & 15]
    #endif
  }

  /// Runs a few instructions that borrow the request word of a core.
  static func borrow<Result: Sendable>(from core: CoreRef, _ body: @Sendable () -> Result) -> Result {
    lock(of: core).lock.withLock { _ in body() }
  }

  /// Waits until the request word of a core is not borrowed, or has been given back once.
  static func wait(for core: CoreRef) { lock(of: core).lock.withLock { _ in } }
}
