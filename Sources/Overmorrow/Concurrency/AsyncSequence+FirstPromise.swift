extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Returns a promise for the first element that satisfies a predicate.
  ///
  /// ```swift
  /// let login = events.firstPromise { $0.kind == .login }
  /// ```
  ///
  /// A new task iterates over the sequence, from this call until it finds such an element.
  ///
  /// - Fulfils: with the element; with `nil` if the sequence ends without one.
  /// - Fails: with the error of the sequence, or with what `predicate` throws.
  /// - Cancels: if the promise is asked to cancel before such an element is found. The request cancels the task and
  ///   ends the iteration.
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
      // Most sequences end when their task is cancelled, as if there were no more elements.
      try Task.checkCancellation()
      return nil
    }
  }
}
