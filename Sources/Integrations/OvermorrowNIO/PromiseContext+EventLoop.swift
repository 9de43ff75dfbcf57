#if SwiftNIO
  public import NIOCore
  public import Overmorrow

  extension PromiseContext {
    /// Returns the context of an event loop. Callbacks run on the thread of the loop, in the order in which they became
    /// ready.
    ///
    /// A callback that becomes ready after the loop was shut down does not run, and its promise is cancelled.
    ///
    /// - Parameter loop: The event loop.
    public static func eventLoop(_ loop: any EventLoop) -> PromiseContext { .executor(EventLoopExecutor(loop)) }
  }

  /// Submits callbacks to an event loop.
  private final class EventLoopExecutor: PromiseExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    // If the loop was shut down, it drops the work, and the drop cancels the promise.
    func enqueue(_ work: @escaping @Sendable () -> Void) { loop.execute(work) }
  }
#endif
