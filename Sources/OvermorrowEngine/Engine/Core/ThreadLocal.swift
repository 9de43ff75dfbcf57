internal import COvermorrowSystem

/// The engine's state of one thread: its deliveries, destructions and requests.
@safe
package struct ThreadLocal {
  struct State {
    /// The number of passes and inner calls that are nested on this thread.
    var depth = 0
    /// The address of the innermost pass.
    var pass: UInt = 0
    /// The work that was deferred to the passes of this thread. The work of the innermost pass is at the end.
    var deferred: [Deferred] = []
    /// The cores that are being destroyed, and the cores whose destruction is deferred.
    var disposals = Nesting<CoreRef>(limit: 32)
    /// The requests whose handlers are running, and the requests whose handlers are deferred.
    var requests = Nesting<@Sendable () -> Void>(limit: 16)
    /// The actions that start after this thread has made all of its present requests.
    var starts: [@Sendable () -> Void] = []
    /// The checks of whether a core can still be observed. Each deferred check has a count on its core.
    var unobservedEndings = Nesting<(core: CoreRef, isChain: Bool)>(limit: 1)
    /// The callback of a watched promise that this thread runs; `nil` while there is none, and so at the end of the
    /// thread.
    var callback: AnyObject?
    /// The failure for which this thread runs a callback; `nil` while there is none, and so at the end of the thread.
    var failure: AnyObject?
  }

  private let state: UnsafeMutablePointer<State>

  @inline(__always)
  var fields: State {
    // Unsafe, both: only this thread uses the pointer, until the thread ends.
    unsafeAddress { unsafe UnsafePointer(state) }
    nonmutating unsafeMutableAddress { unsafe state }
  }

  private static let key = ThreadKey()

  /// The state of the calling thread. The first access makes the state, and the end of the thread frees it.
  @inline(__always)
  package static var current: ThreadLocal {
    // Unsafe: only `make` stores a value under this key.
    if let found = unsafe key.value { return unsafe ThreadLocal(state: found.assumingMemoryBound(to: State.self)) }
    return make()
  }

  @inline(never)
  private static func make() -> ThreadLocal {
    // Unsafe: the state is initialised before any other code can see it. The end of the thread frees the state. At that
    // time, the state contains no deferred work, and no memory for it (`Deferred`).
    let made = UnsafeMutablePointer<State>.allocate(capacity: 1)
    unsafe made.initialize(to: State())
    unsafe key.set(made) { unsafe $0?.deallocate() }
    return unsafe ThreadLocal(state: made)
  }

  /// A number that identifies the thread among the threads that exist at the same time.
  package var identity: UInt { unsafe UInt(bitPattern: state) }

  /// The object with which the diagnostics describe the callback that this thread runs; `nil` if there is none. Code
  /// that sets this property sets it back to the earlier value on the same thread.
  package var callback: AnyObject? {
    get { fields.callback }
    nonmutating set { fields.callback = newValue }
  }

  /// The object with which the diagnostics describe the error for which this thread runs a callback; `nil` if there is
  /// none. Code that sets this property sets it back to the earlier value on the same thread.
  package var failure: AnyObject? {
    get { fields.failure }
    nonmutating set { fields.failure = newValue }
  }
}

/// A limit of the recursion of calls of one kind. Up to the limit, calls nest on the stack of a thread. Further calls
/// are deferred, and the outermost call runs the deferred calls in the order in which they were deferred.
struct Nesting<Item> {
  private let limit: Int
  private var depth = 0
  /// The deferred calls. The calls before the index `next` were taken out to be run.
  private var waiting: [Item] = []
  private var next = 0

  init(limit: Int) { self.limit = limit }

  var isRunning: Bool { depth > 0 }

  /// Begins a call, and returns `true`. The call must end with ``leave()``. At the limit, defers the item instead, and
  /// returns `false`.
  mutating func enter(orDefer item: @autoclosure () -> Item) -> Bool {
    if depth == limit {
      waiting.append(item())
      return false
    }
    depth += 1
    return true
  }

  /// Ends a call. If the outermost call ends while there are deferred items, returns the next deferred item instead.
  /// The caller runs the item, and then calls this function again.
  mutating func leave() -> Item? {
    if depth > 1 || next == waiting.count {
      depth -= 1
      return nil
    }
    let item = waiting[next]
    next += 1
    if next == waiting.count { (waiting, next) = ([], 0) }
    return item
  }
}

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
