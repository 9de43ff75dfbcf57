package import Dispatch

extension PromiseContext {
  /// Creates the context of a queue: `.main` or the case of a global queue if it is one of those, and otherwise
  /// `.queue`.
  ///
  /// So callbacks on the main queue run in one pass, as on ``main``.
  package init(for queue: DispatchQueue) { self = QueueMark.context(of: queue) ?? .queue(queue) }
}
