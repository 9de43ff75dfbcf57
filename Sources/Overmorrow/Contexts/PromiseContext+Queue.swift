package import Dispatch

extension PromiseContext {
  /// Creates the context of a queue: `.main` for the main queue, the case of a global queue, or `.queue` for any other
  /// queue.
  ///
  /// So callbacks on the main queue run in one pass, as on ``main``.
  package init(for queue: DispatchQueue) { self = QueueMark.context(of: queue) ?? .queue(queue) }
}
