/// What the engine keeps for each thread: where its deliveries, its disposals and its requests stand.
@safe
struct ThreadLocal {
  struct State {
    /// How many passes and inner calls lie on top of each other on this thread.
    var depth = 0
    /// The address of the innermost pass.
    var pass: UInt = 0
    /// The cores that are being destroyed.
    var disposals = Nesting<CoreRef>(limit: 32)
    /// The requests whose handlers are running.
    var requests = Nesting<@Sendable () -> Void>(limit: 16)
    /// What is to begin when all these requests have been made.
    var starts: [@Sendable () -> Void] = []
    /// The looks for promises that nothing sees any more. Each core has a count.
    var unobservedEndings = Nesting<(core: CoreRef, isChain: Bool)>(limit: 1)
  }

  private let state: UnsafeMutablePointer<State>

  @inline(__always)
  var fields: State {
    // Unsafe, both: only this thread has the pointer, until it ends.
    unsafeAddress { unsafe UnsafePointer(state) }
    nonmutating unsafeMutableAddress { unsafe state }
  }

  private static let key = ThreadKey()

  /// This thread's own. Made when it is first asked for, and freed when the thread ends.
  @inline(__always)
  static var current: ThreadLocal {
    // Unsafe: under this key there is nothing but what `make` puts there.
    if let found = unsafe key.value { return unsafe ThreadLocal(state: found.assumingMemoryBound(to: State.self)) }
    return make()
  }

  @inline(never)
  private static func make() -> ThreadLocal {
    // Unsafe: initialised before anybody can see it; from now on owned by the thread, whose end frees it, when nothing waits.
    let made = UnsafeMutablePointer<State>.allocate(capacity: 1)
    unsafe made.initialize(to: State())
    unsafe key.set(made) { unsafe $0?.deallocate() }
    return unsafe ThreadLocal(state: made)
  }

  /// Tells the thread from others that exist at the same time.
  var identity: UInt { unsafe UInt(bitPattern: state) }
}

/// Calls of one kind that would recurse. Up to a limit they nest on the stack of a thread; the next ones wait until the outermost one comes
/// back for them, first come, first served.
struct Nesting<Item> {
  private let limit: Int
  private var depth = 0
  /// From `next` on, those that have not had their turn.
  private var waiting: [Item] = []
  private var next = 0

  init(limit: Int) { self.limit = limit }

  var isRunning: Bool { depth > 0 }

  /// Begins a call, for which ``leave()`` is called later; or puts it off, and answers with `false`.
  mutating func enter(orDefer item: @autoclosure () -> Item) -> Bool {
    if depth == limit {
      waiting.append(item())
      return false
    }
    depth += 1
    return true
  }

  /// Ends a call, or answers with one that has waited, after which this is to be called again.
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

  /// Takes out what waits.
  mutating func takeWaiting() -> [Item] {
    defer { (waiting, next) = ([], 0) }
    return Array(waiting[next...])
  }
}
