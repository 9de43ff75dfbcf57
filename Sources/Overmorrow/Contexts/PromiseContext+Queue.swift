package import Dispatch

extension PromiseContext {
  /// Creates the context of a queue: `.main` for the main queue, the case of a global queue, or `.queue` for any other
  /// queue.
  ///
  /// Because the main queue becomes `.main`, callbacks on the main queue run in one pass.
  package init(for queue: DispatchQueue) { self = QueueMark.context(of: queue) ?? .queue(queue) }
}
