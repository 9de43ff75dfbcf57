package import Dispatch

extension PromiseContext {
  /// The context of a queue: by its own case, if it is the main queue or a global one.
  ///
  /// Steps on the same queue can follow one another without being handed over.
  package init(for queue: DispatchQueue) {
    self = MainQueue.isMain(queue) ? .main : PromiseContext(global: queue) ?? .queue(queue)
  }

  /// The context of a global queue by its own case; `nil` for another queue.
  init?(global queue: DispatchQueue) {
    guard let context = GlobalQueues.context(of: queue) else { return nil }
    self = context
  }
}

/// Which global queue a queue is. Anybody may give a queue the label of another one: what counts is the queue itself.
private enum GlobalQueues {
  private static let all: [(queue: DispatchQueue, context: PromiseContext)] = [
    (.global(qos: .background), .background), (.global(qos: .utility), .utility), (.global(qos: .default), .default),
    (.global(qos: .userInitiated), .userInitiated), (.global(qos: .userInteractive), .userInteractive),
  ]

  #if canImport(Darwin)
    static func context(of queue: DispatchQueue) -> PromiseContext? { all.first { $0.queue === queue }?.context }
  #else
    // Here each `DispatchQueue.global()` is a new object for the same queue; what one of them is given, all have.
    static func context(of queue: DispatchQueue) -> PromiseContext? { queue.getSpecific(key: key) }

    private static let key: DispatchSpecificKey<PromiseContext> = {
      let key = DispatchSpecificKey<PromiseContext>()
      // Two of them may be one queue, as here the last two are: that goes by the name of the first.
      for (queue, context) in all.reversed() { queue.setSpecific(key: key, value: context) }
      return key
    }()
  #endif
}
