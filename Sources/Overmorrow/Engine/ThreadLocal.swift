#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What the engine keeps for each thread: where its deliveries, its disposals and its requests stand.
///
/// All are values on the thread's own stack; they are set on entry and restored on exit.
@safe
struct ThreadLocal {
  /// The innermost pass that is running on this thread.
  var pass: UnsafeMutablePointer<Pass.State>?
  /// How many passes and inner calls lie on top of each other on this thread.
  var depth = 0
  /// The disposal that is running on this thread.
  var disposal: UnsafeMutablePointer<Disposal>?
  /// The loop that is running cancel handlers on this thread.
  var requests: UnsafeMutablePointer<RequestLoop>?
  /// The look for promises that nobody sees any more that is going on on this thread.
  var unseenEndings: UnsafeMutablePointer<UnseenEndings>?
  /// Whether this is a thread of `ReliefThreads`.
  var isRelief = false
  /// Where this thread is in the slabs that it fills, one position for each lane; made when it first hands over work to one.
  private var positions: UnsafeMutablePointer<Slab.Position>?

  /// The slot that this thread fills next for a lane.
  @inline(__always)
  static func nextSlot(of lane: Int, _ open: (Slab?) -> Slab) -> Slab.Slot {
    let thread = unsafe current
    // Unsafe: used by this thread only, and there is one for each lane.
    let positions = unsafe thread.pointee.positions ?? makePositions(thread)
    return unsafe positions[lane].advance(open)
  }

  @inline(never)
  private static func makePositions(_ thread: UnsafeMutablePointer<ThreadLocal>) -> UnsafeMutablePointer<Slab.Position>
  {
    let positions = UnsafeMutablePointer<Slab.Position>.allocate(capacity: Lane.count)
    // Unsafe: owned by the thread, until `leaveSlabs`.
    unsafe positions.initialize(repeating: Slab.Position(), count: Lane.count)
    unsafe thread.pointee.positions = positions
    return unsafe positions
  }

  /// The thread ends, and fills no more slabs.
  mutating func leaveSlabs() {
    guard let positions = unsafe positions else { return }
    // Unsafe: as in `makePositions`.
    for lane in 0..<Lane.count { unsafe positions[lane].leave() }
    unsafe positions.deallocate()
    unsafe self.positions = nil
  }

  /// This thread's own. Made when it is first asked for, and freed when the thread ends.
  @inline(__always)
  static var current: UnsafeMutablePointer<ThreadLocal> {
    let key = ThreadLocal.key.load(ordering: .acquiring)
    // Unsafe: under this key there is nothing but what `make` puts there.
    if key != 0, let found = unsafe pthread_getspecific(pthread_key_t(truncatingIfNeeded: key - 1)) {
      return unsafe found.assumingMemoryBound(to: ThreadLocal.self)
    }
    return unsafe make()
  }

  /// The thread-local key plus one, or zero before there is one. An atomic and not a lazy constant, because those take
  /// longer to read than everything else here together.
  private static let key = Atomic<UInt>(0)

  @inline(never)
  private static func make() -> UnsafeMutablePointer<ThreadLocal> {
    let key = makeKey()
    // Unsafe: initialised before anybody can see it; from now on owned by the thread, whose end frees it.
    let made = UnsafeMutablePointer<ThreadLocal>.allocate(capacity: 1)
    unsafe made.initialize(to: ThreadLocal())
    let status = unsafe pthread_setspecific(key, made)
    precondition(status == 0, "no thread-local memory is left: pthread_setspecific gave \(status)")
    return unsafe made
  }

  /// The thread that this belongs to ends.
  private static func end(_ pointer: UnsafeMutableRawPointer) {
    // Unsafe: what `make` has allocated; nobody has it any more.
    unsafe pointer.assumingMemoryBound(to: ThreadLocal.self).pointee.leaveSlabs()
    unsafe pointer.deallocate()
  }

  /// The key; the first thread that needs it makes it.
  private static func makeKey() -> pthread_key_t {
    let found = key.load(ordering: .acquiring)
    if found != 0 { return pthread_key_t(found - 1) }
    var made = pthread_key_t()
    // Unsafe: an out-parameter of this frame; the destructor frees what `make` has allocated.
    let status = unsafe pthread_key_create(&made) { pointer in
      #if canImport(Darwin)
        unsafe ThreadLocal.end(pointer)
      #else
        if let pointer = unsafe pointer { unsafe ThreadLocal.end(pointer) }
      #endif
    }
    precondition(status == 0, "no thread-local key is left: pthread_key_create gave \(status)")
    let (isFirst, other) = key.compareExchange(
      expected: 0, desired: UInt(made) + 1, ordering: .acquiringAndReleasing)
    if isFirst { return made }
    pthread_key_delete(made)
    return pthread_key_t(other - 1)
  }
}
