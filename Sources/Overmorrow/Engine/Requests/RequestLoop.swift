/// Runs cancel handlers without deep recursion.
///
/// A handler may ask another promise to cancel, whose handler may ask another, and so on. If the outermost one cannot come back for those
/// that wait, because a handler blocks in a wait, they are run elsewhere.
enum RequestLoop {
  /// Runs the handlers of a request now, or as soon as one around it has come back.
  ///
  /// - Parameter late: What runs then.
  /// - Returns: What the handlers return, if they have run.
  static func run(_ handlers: () -> Owned?, orLater late: @autoclosure () -> @Sendable () -> Void) -> Owned? {
    let thread = ThreadLocal.current
    guard thread.fields.requests.enter(orDefer: late()) else { return nil }
    let onwards = handlers()
    leave(thread)
    return onwards
  }

  /// Does something that makes requests, which are all made before what one of them makes room for begins.
  static func together(_ body: () -> Void) {
    let thread = ThreadLocal.current
    if thread.fields.requests.isRunning { return body() }
    _ = thread.fields.requests.enter(orDefer: {})
    body()
    leave(thread)
  }

  private static func leave(_ thread: ThreadLocal) {
    while let late = thread.fields.requests.leave() { late() }
    if thread.fields.requests.isRunning || thread.fields.starts.isEmpty { return }
    for start in takeStarts(thread) { start() }
  }

  private static func takeStarts(_ thread: ThreadLocal) -> [@Sendable () -> Void] {
    defer { thread.fields.starts = [] }
    return thread.fields.starts
  }

  /// Begins something for which there is room: when all requests have been made that this thread is making.
  static func afterwards(_ start: @escaping @Sendable () -> Void) {
    let thread = ThreadLocal.current
    if thread.fields.requests.isRunning { thread.fields.starts.append(start) } else { start() }
  }

  /// The calling thread is about to block: what waits for it to come back runs on a global queue.
  static func threadWillBlock() {
    let thread = ThreadLocal.current
    let rest = thread.fields.requests.takeWaiting() + takeStarts(thread)
    if !rest.isEmpty { Place(.default).enqueue { for work in rest { work() } } }
  }
}
