#if SwiftNIO
  import NIOCore

  extension EventLoop {
    /// Calls a closure on this loop when the loop is shut down, unless the watch is cancelled before.
    ///
    /// A loop that is shut down fails what is still scheduled on it, and takes nothing more. So the watch is a task
    /// scheduled for a time that never comes.
    ///
    /// - Parameter onEnd: Called with the error that NIO gives.
    /// - Returns: The watch, to be cancelled when it is no longer needed.
    func watchShutdown(_ onEnd: @escaping @Sendable (any Error) -> Void) -> Scheduled<Void> {
      let watch = scheduleTask(deadline: .distantFuture) {}
      watch.futureResult.whenFailure { error in
        if error as? EventLoopError != .cancelled { onEnd(error) }
      }
      return watch
    }
  }
#endif
