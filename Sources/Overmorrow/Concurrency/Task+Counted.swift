internal import OvermorrowEngine

extension Task where Success == Void, Failure == Never {
  /// Creates a task. If a test clock exists, the clock waits for the task as for submitted callbacks, until the task
  /// has reached its next wait.
  ///
  /// All tasks of the library are created here while a test clock exists, except tasks whose executor the user chooses
  /// and tasks whose work is counted otherwise.
  @usableFromInline
  package static func counted(
    priority: TaskPriority? = nil, _ operation: sending @escaping () async -> Void
  ) -> Task {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *), HandOverCount.isCounting {
      return Task(executorPreference: HandOverExecutor.shared, priority: priority, operation: operation)
    }
    return Task(priority: priority, operation: operation)
  }
}
