/// Runs closures, somewhere and at some time: an operation queue, an event loop, a test's scheduler.
///
/// Make any such thing a ``PromiseContext`` by `.executor(_:)`. Each callback is handed over by one call, also when it
/// follows another one on the same executor.
///
/// ```swift
/// final class EventLoopExecutor: PromiseExecutor {
///   let loop: any EventLoop
///   init(_ loop: any EventLoop) { self.loop = loop }
///   func enqueue(_ work: @escaping @Sendable () -> Void) { loop.execute(work) }
/// }
/// ```
///
/// An executor may drop the work unrun, as a cancelled operation does. What was to come from it is then cancelled;
/// nothing waits for ever.
public protocol PromiseExecutor: AnyObject, Sendable {
  /// Runs the work later, at most once; or drops it.
  ///
  /// - Parameter work: What to run. A second call of it does nothing.
  func enqueue(_ work: @escaping @Sendable () -> Void)
}

/// An executor that is shown by a name instead of its type.
protocol NamedExecutor: PromiseExecutor {
  var name: String { get }
}

extension PromiseExecutor {
  /// What diagnostics call the executor.
  var shownName: String { (self as? any NamedExecutor)?.name ?? "\(type(of: self))" }
}
