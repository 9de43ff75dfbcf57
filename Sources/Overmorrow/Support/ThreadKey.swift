internal import COvermorrowSystem

/// A thread-local pointer.
struct ThreadKey: ~Copyable, Sendable {
  typealias End = @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The system's key plus one, or zero before the key is made.
  private let key = Atomic<UInt>(0)

  /// The pointer that the calling thread has set, or `nil`.
  @inline(__always)
  var value: UnsafeMutableRawPointer? {
    let key = key.load(ordering: .acquiring)
    // Unsafe: the pointer is the one that this thread has set.
    return unsafe key == 0 ? nil : overmorrow_thread_value(key - 1)
  }

  /// Sets the pointer of the calling thread.
  ///
  /// - Parameter end: A function that is called with the pointer when the thread ends. Every call must pass the same
  ///   function.
  @inline(never)
  func set(_ value: UnsafeMutableRawPointer?, end: @escaping End) {
    // Unsafe: the pointer is only passed back to this thread and to `end`.
    let isSet = unsafe overmorrow_set_thread_value(systemKey(end), value)
    precondition(isSet, "the system has no memory left for a thread-local value")
  }

  /// Returns the system's key. The first thread that needs the key makes it.
  private func systemKey(_ end: @escaping End) -> UInt {
    let found = key.load(ordering: .acquiring)
    if found != 0 { return found - 1 }
    var made: UInt = 0
    // Unsafe: an out-parameter of this frame.
    let isMade = unsafe overmorrow_make_thread_key(&made, end)
    precondition(isMade, "the system has no thread-local key left")
    let (isFirst, other) = key.compareExchange(expected: 0, desired: made + 1, ordering: .acquiringAndReleasing)
    if isFirst { return made }
    overmorrow_delete_thread_key(made)
    return other - 1
  }
}
