/// An object that runs closures, at a place and a time of its choice, such as an operation queue, an event loop, or the
/// scheduler of a test.
///
/// Use an executor as a ``PromiseContext`` with `.executor(_:)`. Each callback is submitted by its own call of
/// `enqueue(_:)`, even if it directly follows another one on the same executor.
///
/// ```swift
/// final class EventLoopExecutor: PromiseExecutor {
///   let loop: any EventLoop
///   init(_ loop: any EventLoop) { self.loop = loop }
///   func enqueue(_ work: @escaping @Sendable () -> Void) { loop.execute(work) }
/// }
/// ```
///
/// An executor may drop the work without running it, as a cancelled operation does. This ends the promise that depends
/// on the work. If the work is the callback of an observer, the promise gets the result of its source. Otherwise the
/// promise is cancelled.
public protocol PromiseExecutor: AnyObject, Sendable {
  /// Runs the work once, now or later, or drops it by releasing it.
  ///
  /// - Parameter work: The work to run. A second call of it has no effect.
  func enqueue(_ work: @escaping @Sendable () -> Void)
}

/// An executor that is shown by a name instead of its type.
protocol NamedExecutor: PromiseExecutor {
  var name: String { get }
}

extension PromiseExecutor {
  /// The name of the executor in diagnostics.
  var shownName: String { (self as? any NamedExecutor)?.name ?? "\(type(of: self))" }
}
