extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Returns a promise for the first element that satisfies a predicate.
  ///
  /// ```swift
  /// let login = events.firstPromise { $0.kind == .login }
  /// ```
  ///
  /// A new task iterates over the sequence, from this call until the task finds such an element or the sequence ends.
  ///
  /// - Fulfils: with the element, or with `nil` if the sequence ends without such an element.
  /// - Fails: with the error that the sequence or `predicate` throws.
  /// - Cancels: if the sequence or `predicate` throws `CancellationError`, or if the sequence ends after a request to
  ///   cancel. A request to cancel the promise cancels the task, and most sequences end when their task is cancelled.
  /// - Parameters:
  ///   - priority: The priority of the task. By default, the priority of the calling code.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - predicate: A closure that is called with each element in turn.
  public func firstPromise(
    priority: TaskPriority? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    where predicate: @escaping @Sendable (Element) async throws -> Bool
  ) -> Promise<Element?, any Error> {
    Promise<Element?, any Error>(priority: priority, fileID: fileID, line: line) {
      for try await element in self where try await predicate(element) { return element }
      // If their task is cancelled, most sequences end without an error, so the cancellation is checked here.
      try Task.checkCancellation()
      return nil
    }
  }
}
