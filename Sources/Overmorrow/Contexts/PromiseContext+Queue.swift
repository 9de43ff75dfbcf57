package import Dispatch

extension PromiseContext {
  /// The context of a queue: by its own case, if it is the main queue or a global one.
  ///
  /// Steps on the same queue can follow one another without being handed over.
  package init(for queue: DispatchQueue) { self = QueueMark.context(of: queue) ?? .queue(queue) }
}
