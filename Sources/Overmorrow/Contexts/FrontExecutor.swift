/// An executor in front of another context: the executor of a pause or of a task-local value.
package protocol FrontExecutor: PromiseExecutor {
  var context: PromiseContext { get }
  /// Whether the executor itself now prevents work from beginning.
  var isBlocked: Bool { get }
  /// Returns a context in which an executor with the same effect is in front of another context.
  func moved(inFrontOf context: PromiseContext) -> PromiseContext
}

extension FrontExecutor {
  package var isBlocked: Bool { false }
}

extension PromiseContext {
  /// The executor of this context if the executor is in front of another context; otherwise `nil`.
  package var front: (any FrontExecutor)? {
    guard case .executor(let executor) = self else { return nil }
    return executor as? any FrontExecutor
  }

  /// Whether a suspended pause is in front of this context.
  var isBlocked: Bool { front.map { $0.isBlocked || $0.context.isBlocked } ?? false }
}
