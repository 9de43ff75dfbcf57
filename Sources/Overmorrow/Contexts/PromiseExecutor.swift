/// An object that decides where and when closures run. Examples are an operation queue, an event loop, and the
/// scheduler of a test.
///
/// Use an executor as a ``PromiseContext`` with `.executor(_:)`. Each callback is submitted by its own call of
/// `enqueue(_:)`, even if the previous callback of the chain runs on the same executor.
///
/// ```swift
/// final class EventLoopExecutor: PromiseExecutor {
///   let loop: any EventLoop
///   init(_ loop: any EventLoop) { self.loop = loop }
///   func enqueue(_ work: @escaping @Sendable () -> Void) { loop.execute(work) }
/// }
/// ```
///
/// An executor may drop the work without running it. For example, a cancelled operation drops its work. If the dropped
/// work is the callback of an observer, the promise of the observer gets the result of its source. Otherwise the
/// promise that depends on the dropped work is cancelled.
///
/// An executor may run the work inside `enqueue(_:)`. A chain of any length then needs only a bounded part of the
/// stack. But a callback that registers another callback on a resolved promise calls `enqueue(_:)` inside itself. If
/// that callback does the same, and so on, this recursion grows the stack.
public protocol PromiseExecutor: AnyObject, Sendable {
  /// Runs the work once, now or later, or drops the work by releasing it.
  ///
  /// - Parameter work: The work to run. A second call of the work has no effect.
  func enqueue(_ work: @escaping @Sendable () -> Void)
}

/// An executor that diagnostics show by a name and not by its type.
package protocol NamedExecutor: PromiseExecutor {
  var name: String { get }
}

extension PromiseExecutor {
  var shownName: String { (self as? any NamedExecutor)?.name ?? "\(type(of: self))" }
}
