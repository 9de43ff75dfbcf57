#if SwiftNIO
  import NIOCore

  extension EventLoop {
    /// Calls a closure on this loop when the loop is shut down. If the watch is cancelled first, the closure is not
    /// called.
    ///
    /// A loop that is shut down fails its scheduled tasks and accepts no further tasks. The watch is therefore a task
    /// that is scheduled for the distant future.
    ///
    /// - Parameter onEnd: A closure that is called with NIO's error.
    /// - Returns: The watch. Cancel the watch when it is no longer needed.
    func watchShutdown(_ onEnd: @escaping @Sendable (any Error) -> Void) -> Scheduled<Void> {
      let watch = scheduleTask(deadline: .distantFuture) {}
      watch.futureResult.whenFailure { error in
        if error as? EventLoopError != .cancelled { onEnd(error) }
      }
      return watch
    }
  }
#endif
