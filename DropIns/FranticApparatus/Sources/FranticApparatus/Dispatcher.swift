public import Dispatch
public import Foundation
internal import Overmorrow

/// An object that runs closures. The object chooses the thread and the time.
public protocol Dispatcher: AnyObject {
  /// Runs a closure later. If the dispatcher drops the closure, the promise that waits for the closure is cancelled.
  func dispatch(_ closure: @escaping () -> Void)
}

/// A dispatcher that runs closures on a dispatch queue.
public final class GCDDispatcher: Dispatcher {
  /// The queue.
  public let queue: DispatchQueue

  private static let onMain = Kept(GCDDispatcher(queue: .main))

  /// The dispatcher of the main queue.
  public static var main: GCDDispatcher { onMain.value }

  /// Creates a dispatcher for a queue.
  public init(queue: DispatchQueue) { self.queue = queue }

  /// Runs a closure on the queue.
  public func dispatch(_ closure: @escaping () -> Void) {
    let closure = Kept(closure)
    queue.async { closure.value() }
  }
}

/// A dispatcher that runs closures on an operation queue.
public final class OperationDispatcher: Dispatcher {
  /// The queue.
  public let queue: OperationQueue

  private static let onMain = Kept(OperationDispatcher(queue: .main))

  /// The dispatcher of the main operation queue.
  public static var main: OperationDispatcher { onMain.value }

  /// Creates a dispatcher for a queue.
  public init(queue: OperationQueue) { self.queue = queue }

  /// Runs a closure on the queue.
  public func dispatch(_ closure: @escaping () -> Void) {
    let closure = Kept(closure)
    queue.addOperation { closure.value() }
  }
}

/// An executor of Overmorrow that passes all work to a dispatcher.
final class DispatcherExecutor: PromiseExecutor, @unchecked Sendable {
  // Sendable because a dispatcher is called from any thread by design; its protocol predates `Sendable`.
  private let dispatcher: any Dispatcher

  init(_ dispatcher: any Dispatcher) { self.dispatcher = dispatcher }

  func enqueue(_ work: @escaping @Sendable () -> Void) { dispatcher.dispatch(work) }
}
