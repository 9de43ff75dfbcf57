internal import COvermorrowSystem

// An exploring build replaces this file: `Tests/Exploration/Seam`.
/// A lock. A thread that waits for the lock sleeps. A debug build stops the program if a thread takes a lock that it
/// already has.
@safe
@usableFromInline
struct Lock: ~Copyable, @unchecked Sendable {
  // Sendable, and unsafe, all of it: a borrowed lock does not move, and the functions of C are atomic.

  private let word = Interior<UInt32>(0)
  #if DEBUG
    /// The number of the thread that has the lock, or zero. As small as the word, so that what is behind a lock lies at
    /// the same place in all builds, for the script of debuggers.
    private let owner = Atomic<UInt32>(0)
  #endif

  @usableFromInline init() {}

  @usableFromInline
  func take() {
    #if DEBUG
      checkOwner()
    #endif
    unsafe overmorrow_lock_take(word.address)
    #if DEBUG
      setOwner()
    #endif
  }

  /// Takes the lock if it is free.
  func tryTake() -> Bool {
    #if DEBUG
      checkOwner()
    #endif
    guard unsafe overmorrow_lock_try(word.address) else { return false }
    #if DEBUG
      setOwner()
    #endif
    return true
  }

  @usableFromInline
  func give() {
    #if DEBUG
      owner.store(0, ordering: .relaxed)
    #endif
    unsafe overmorrow_lock_give(word.address)
  }

  #if DEBUG
    private func checkOwner() {
      // Relaxed: a thread finds its own number only if the thread itself has written the number.
      precondition(
        owner.load(ordering: .relaxed) != overmorrow_thread_number(),
        "a thread takes a lock of Overmorrow that it already has, so user code has run under the lock")
    }

    private func setOwner() { owner.store(overmorrow_thread_number(), ordering: .relaxed) }
  #endif
}
