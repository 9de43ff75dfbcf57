package import Dispatch

extension PromiseContext {
  /// Creates the context of a queue: `.main` or the case of a global queue if it is one of those, and otherwise
  /// `.queue`.
  ///
  /// So steps on the same queue can follow one another without a new submission.
  package init(for queue: DispatchQueue) { self = QueueMark.context(of: queue) ?? .queue(queue) }
}
