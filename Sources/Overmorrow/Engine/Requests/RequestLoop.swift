/// Runs cancel handlers without deep recursion.
///
/// A handler may ask another promise to cancel, whose handler may ask another, and so on. Up to ``nesting`` of them nest
/// on one stack; the next ones wait until the outermost one comes back for them. If it cannot, because a handler blocks in a
/// wait, they are run elsewhere.
struct RequestLoop {
  private var depth = 1
  /// From `next` on, those that have not been run. Each has a count on its core.
  private var waiting: [Late] = []
  private var next = 0
  /// What is to begin when all requests have been made.
  private var starts: [@Sendable () -> Void] = []

  private struct Late {
    let core: CoreRef
    let request: CancelRequest
  }

  /// How many lists of handlers may nest on one stack.
  static let nesting = 16

  /// Runs the handlers of a request. The caller holds a count on the core.
  ///
  /// - Returns: The core to go on with, counted, if this one adopts one whose last vote has gone.
  static func run(_ request: CancelRequest, for core: CoreRef) -> CoreRef? {
    // Unsafe: a pointer into this thread's own stack, valid while the loop around this call runs.
    let thread = unsafe ThreadLocal.current
    guard let outer = unsafe thread.pointee.requests else {
      return unsafe outermost(thread) { request.run(for: core) }
    }
    if unsafe outer.pointee.depth >= nesting {
      core.retain()
      unsafe outer.pointee.waiting.append(Late(core: core, request: request))
      return nil
    }
    unsafe outer.pointee.depth += 1
    defer { unsafe outer.pointee.depth -= 1 }
    return request.run(for: core)
  }

  /// Does something that makes requests, which are all made before what one of them makes room for begins.
  static func together(_ body: () -> Void) {
    let thread = unsafe ThreadLocal.current
    if unsafe thread.pointee.requests != nil { body() } else { unsafe outermost(thread, body) }
  }

  @inline(__always)
  private static func outermost<Result>(_ thread: UnsafeMutablePointer<ThreadLocal>, _ body: () -> Result) -> Result {
    var loop = RequestLoop()
    // Unsafe: the pointer is used by this thread only, and reset before the value goes.
    return unsafe withUnsafeMutablePointer(to: &loop) { loop in
      unsafe thread.pointee.requests = loop
      let result = body()
      while unsafe loop.pointee.next < loop.pointee.waiting.count {
        let late = unsafe loop.pointee.waiting[loop.pointee.next]
        unsafe loop.pointee.next += 1
        run(late)
      }
      unsafe thread.pointee.requests = nil
      if unsafe !loop.pointee.starts.isEmpty { for start in unsafe loop.pointee.starts { start() } }
      return result
    }
  }

  /// Begins something for which there is room: when all requests have been made that this thread is making.
  static func afterwards(_ start: @escaping @Sendable () -> Void) {
    // Unsafe: as in `run`.
    guard let loop = unsafe ThreadLocal.current.pointee.requests else { return start() }
    unsafe loop.pointee.starts.append(start)
  }

  private static func run(_ late: Late) {
    if let onwards = late.request.run(for: late.core) {
      onwards.requestCancel()
      onwards.release()
    }
    late.core.release()
  }

  /// The calling thread is about to block: what waits for it to come back runs on a global queue.
  static func threadBlocks() {
    let thread = unsafe ThreadLocal.current
    // Unsafe: as in `run`.
    guard let loop = unsafe thread.pointee.requests else { return }
    let rest = unsafe Array(loop.pointee.waiting[loop.pointee.next...])
    unsafe loop.pointee.waiting.removeSubrange(loop.pointee.next...)
    let starts = unsafe loop.pointee.starts
    unsafe loop.pointee.starts = []
    if rest.isEmpty, starts.isEmpty { return }
    Place(.default).enqueue {
      rest.forEach(run)
      for start in starts { start() }
    }
  }
}

extension ThreadLocal {
  /// The loop that is running cancel handlers on this thread.
  @inline(__always)
  fileprivate(set) var requests: UnsafeMutablePointer<RequestLoop>? {
    // Unsafe: only this property reads and writes the word.
    get { unsafe words.requests?.assumingMemoryBound(to: RequestLoop.self) }
    set { unsafe words.requests = UnsafeMutableRawPointer(newValue) }
  }
}
