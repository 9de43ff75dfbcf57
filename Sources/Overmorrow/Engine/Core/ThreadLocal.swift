/// The engine's state of one thread: its deliveries, destructions and requests.
@safe
struct ThreadLocal {
  struct State {
    /// The number of passes and inner calls that are nested on this thread.
    var depth = 0
    /// The address of the innermost pass.
    var pass: UInt = 0
    /// The cores that are being destroyed.
    var disposals = Nesting<CoreRef>(limit: 32)
    /// The requests whose handlers are running.
    var requests = Nesting<@Sendable () -> Void>(limit: 16)
    /// The actions that start when all these requests have been made.
    var starts: [@Sendable () -> Void] = []
    /// The checks whether promises are still observed. There is a count on each core.
    var unobservedEndings = Nesting<(core: CoreRef, isChain: Bool)>(limit: 1)
  }

  private let state: UnsafeMutablePointer<State>

  @inline(__always)
  var fields: State {
    // Unsafe, both: only this thread uses the pointer, until the thread ends.
    unsafeAddress { unsafe UnsafePointer(state) }
    nonmutating unsafeMutableAddress { unsafe state }
  }

  private static let key = ThreadKey()

  /// The state of the calling thread: made at the first use, freed when the thread ends.
  @inline(__always)
  static var current: ThreadLocal {
    // Unsafe: only `make` stores a value under this key.
    if let found = unsafe key.value { return unsafe ThreadLocal(state: found.assumingMemoryBound(to: State.self)) }
    return make()
  }

  @inline(never)
  private static func make() -> ThreadLocal {
    // Unsafe: initialised before any other code can see it, then owned by the thread. The thread's end frees it, when
    // nothing waits in it.
    let made = UnsafeMutablePointer<State>.allocate(capacity: 1)
    unsafe made.initialize(to: State())
    unsafe key.set(made) { unsafe $0?.deallocate() }
    return unsafe ThreadLocal(state: made)
  }

  /// Identifies the thread among those that exist at the same time.
  var identity: UInt { unsafe UInt(bitPattern: state) }
}

/// Limits the recursion of calls of one kind. Up to a limit, they nest on the stack of a thread. Further ones are
/// deferred, and the outermost call runs them in order of arrival.
struct Nesting<Item> {
  private let limit: Int
  private var depth = 0
  /// The deferred calls; those before `next` have run.
  private var waiting: [Item] = []
  private var next = 0

  init(limit: Int) { self.limit = limit }

  var isRunning: Bool { depth > 0 }

  /// Begins a call, which must end with ``leave()``. At the limit, defers the item and returns `false`.
  mutating func enter(orDefer item: @autoclosure () -> Item) -> Bool {
    if depth == limit {
      waiting.append(item())
      return false
    }
    depth += 1
    return true
  }

  /// Ends a call. If it is the outermost call and there are deferred ones, returns one of these instead. The caller
  /// runs it and then calls this again.
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

  /// Takes out the deferred calls.
  mutating func takeWaiting() -> [Item] {
    defer { (waiting, next) = ([], 0) }
    return Array(waiting[next...])
  }
}
