#if SwiftNIO
  import NIOCore

  extension EventLoop {
    /// Calls a closure on this loop when the loop is shut down, unless the watch is cancelled first.
    ///
    /// A loop that is shut down fails its scheduled tasks and accepts no further ones. The watch is therefore a task
    /// that is scheduled for the distant future.
    ///
    /// - Parameter onEnd: Called with the error that NIO gives.
    /// - Returns: The watch. Cancel it when it is no longer needed.
    func watchShutdown(_ onEnd: @escaping @Sendable (any Error) -> Void) -> Scheduled<Void> {
      let watch = scheduleTask(deadline: .distantFuture) {}
      watch.futureResult.whenFailure { error in
        if error as? EventLoopError != .cancelled { onEnd(error) }
      }
      return watch
    }
  }
#endif
