internal import Dispatch
internal import OvermorrowEngine

/// The queues that have a context of their own: the main queue and the global queues.
///
/// The label does not identify a queue, because several queues may have the same label.
enum NamedQueues {
  private static let contexts: [(queue: DispatchQueue, context: PromiseContext)] = [
    (.main, .main), (.global(qos: .background), .background), (.global(qos: .utility), .utility),
    (.global(qos: .default), .default), (.global(qos: .userInitiated), .userInitiated),
    (.global(qos: .userInteractive), .userInteractive),
  ]

  #if canImport(Darwin)
    /// Returns the context of the main queue or of a global queue; `nil` for any other queue.
    static func context(of queue: DispatchQueue) -> PromiseContext? {
      contexts.first { $0.queue === queue }?.context
    }
  #else
    // Each `DispatchQueue.global()` is a new object for the same queue. All these objects share the values of the
    // queue.
    private static let key: DispatchSpecificKey<PromiseContext> = {
      let key = DispatchSpecificKey<PromiseContext>()
      // Two of these queues may be the same queue. On Linux, the last two are one queue. Such a queue gets the context
      // that comes first in the list.
      for (queue, context) in contexts.reversed() { queue.setSpecific(key: key, value: context) }
      return key
    }()

    /// Returns the context of the main queue or of a global queue; `nil` for any other queue.
    static func context(of queue: DispatchQueue) -> PromiseContext? { queue.getSpecific(key: key) }
  #endif
}
