/// The locks that threads hold while they borrow a request word, and which others wait for that find it borrowed (R4).
///
/// Under such a lock nothing but a count is made: no memory is allocated, no list is walked, no other lock is taken. Few words are
/// ever borrowed at the same time, so few locks do.
enum Borrowing {
  private static let locks = CoreLocks(count: 16)

  /// Runs a few instructions that borrow the request word of a core.
  static func borrow<Result: Sendable>(from core: CoreRef, _ body: @Sendable () -> Result) -> Result {
    locks.withLock(of: core, body)
  }

  /// Waits until the request word of a core is not borrowed, or has been given back once.
  static func wait(for core: CoreRef) { locks.wait(for: core) }
}
