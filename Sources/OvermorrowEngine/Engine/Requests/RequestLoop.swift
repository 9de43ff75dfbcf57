/// The loop that runs cancel handlers without deep recursion.
///
/// A handler may ask a second promise to cancel. The handler of that promise may ask a third promise, and so on.
package enum RequestLoop {
  /// Runs the handlers of a request. If too many handlers are nested on this thread, defers the handlers of this
  /// request until the outermost of the nested handlers has run.
  ///
  /// - Parameter deferred: The closure that runs later if the handlers are deferred.
  /// - Returns: What `handlers` returns, or `nil` if the handlers were deferred.
  static func run(_ handlers: () -> Owned?, orLater deferred: @autoclosure () -> @Sendable () -> Void) -> Owned? {
    let thread = ThreadLocal.current
    guard thread.fields.requests.enter(orDefer: deferred()) else { return nil }
    let next = handlers()
    leave(thread)
    return next
  }

  /// Runs code that makes requests. Actions that these requests start (``afterwards(_:)``) begin after all of the
  /// requests were made.
  package static func together(_ body: () -> Void) {
    let thread = ThreadLocal.current
    if thread.fields.requests.isRunning { return body() }
    _ = thread.fields.requests.enter(orDefer: {})
    body()
    leave(thread)
  }

  private static func leave(_ thread: ThreadLocal) {
    while let late = thread.fields.requests.leave() { late() }
    if thread.fields.requests.isRunning || thread.fields.starts.isEmpty { return }
    let starts = thread.fields.starts
    thread.fields.starts = []
    for start in starts { start() }
  }

  /// Runs an action after all requests that this thread is making. If the thread is making no request, runs the action
  /// at once.
  package static func afterwards(_ start: @escaping @Sendable () -> Void) {
    let thread = ThreadLocal.current
    if thread.fields.requests.isRunning { thread.fields.starts.append(start) } else { start() }
  }
}
