/// An executor in front of another context: that of a pause, or one that carries a task-local value.
protocol FrontExecutor: PromiseExecutor {
  /// The context behind the executor.
  var context: PromiseContext { get }
  /// Whether the executor itself lets no work begin now.
  var isBlocked: Bool { get }
  /// Returns the same executor in front of another context.
  func moved(inFrontOf context: PromiseContext) -> PromiseContext
}

extension FrontExecutor {
  var isBlocked: Bool { false }
}

extension PromiseContext {
  /// The executor of this context, if it is in front of another context.
  var front: (any FrontExecutor)? {
    guard case .executor(let executor) = self else { return nil }
    return executor as? any FrontExecutor
  }

  /// Whether a pause of this context is suspended.
  var isBlocked: Bool { front.map { $0.isBlocked || $0.context.isBlocked } ?? false }
}
