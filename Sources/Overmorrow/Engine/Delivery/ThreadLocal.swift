/// What the engine keeps for each thread: where its deliveries, its disposals and its requests stand.
///
/// All are values on the thread's own stack; they are set on entry and restored on exit.
@safe
struct ThreadLocal {
  /// How many passes and inner calls lie on top of each other on this thread.
  var depth = 0
  // What each of the loops keeps here: a pointer to its own state, whose type is named where the loop is.
  var words:
    (
      pass: UnsafeMutableRawPointer?, disposal: UnsafeMutableRawPointer?, requests: UnsafeMutableRawPointer?,
      unseenEndings: UnsafeMutableRawPointer?
    ) = (nil, nil, nil, nil)

  private static let key = ThreadKey()

  /// This thread's own. Made when it is first asked for, and freed when the thread ends.
  @inline(__always)
  static var current: UnsafeMutablePointer<ThreadLocal> {
    // Unsafe: under this key there is nothing but what `make` puts there.
    if let found = unsafe key.value { return unsafe found.assumingMemoryBound(to: ThreadLocal.self) }
    return unsafe make()
  }

  @inline(never)
  private static func make() -> UnsafeMutablePointer<ThreadLocal> {
    // Unsafe: initialised before anybody can see it; from now on owned by the thread, whose end frees it.
    let made = UnsafeMutablePointer<ThreadLocal>.allocate(capacity: 1)
    unsafe made.initialize(to: ThreadLocal())
    unsafe key.set(made) { unsafe $0?.deallocate() }
    return unsafe made
  }
}
