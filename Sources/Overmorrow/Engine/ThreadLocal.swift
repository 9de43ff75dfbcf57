internal import Synchronization

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
  /// The disposal that is running on this thread.
  var disposal: UnsafeMutablePointer<Disposal>?
  /// The loop that is running cancel handlers on this thread.
  var requests: UnsafeMutablePointer<RequestLoop>?
  /// Whether this is a thread of `ReliefThreads`.
  var isRelief = false

  /// This thread's own. Made when it is first asked for, and freed when the thread ends.
  @inline(__always)
  static var current: UnsafeMutablePointer<ThreadLocal> {
    let key = ThreadLocal.key.load(ordering: .acquiring)
    // Unsafe: under this key there is nothing but what `make` puts there.
    if key != 0, let found = unsafe pthread_getspecific(pthread_key_t(key - 1)) {
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

  /// The key; the first thread that needs it makes it.
  private static func makeKey() -> pthread_key_t {
    let found = key.load(ordering: .acquiring)
    if found != 0 { return pthread_key_t(found - 1) }
    var made = pthread_key_t()
    // Unsafe: an out-parameter of this frame; the destructor frees what `make` has allocated, without any contents.
    let status = unsafe pthread_key_create(&made) { pointer in
      #if canImport(Darwin)
        unsafe pointer.deallocate()
      #else
        unsafe pointer?.deallocate()
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
