package import Dispatch

extension PromiseContext {
  /// The context of a queue: by its own case, if it is the main queue or a global one.
  ///
  /// Steps on the same queue can follow one another without being handed over. On Linux each `DispatchQueue.global()` is
  /// a new object, and the name that Dispatch itself has given to the queue behind it is all that can be compared.
  package init(for queue: DispatchQueue) {
    if MainQueue.isMain(queue) {
      self = .main
    } else {
      self = PromiseContext.global[queue.label] ?? .queue(queue)
    }
  }

  private static let global: [String: PromiseContext] = [
    "com.apple.root.background-qos": .background, "com.apple.root.utility-qos": .utility,
    "com.apple.root.default-qos": .default, "com.apple.root.user-initiated-qos": .userInitiated,
    "com.apple.root.user-interactive-qos": .userInteractive,
  ]
}
