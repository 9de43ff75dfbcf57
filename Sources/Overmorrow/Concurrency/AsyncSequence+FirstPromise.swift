extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// A promise for the first element that satisfies a predicate.
  ///
  /// ```swift
  /// let login = events.firstPromise { $0.kind == .login }
  /// ```
  ///
  /// The sequence is iterated by a task of its own, from now on until there is such an element.
  ///
  /// - Fulfils: with the element; with `nil` if the sequence ends without one.
  /// - Fails: with the error of the sequence, or with what `predicate` throws.
  /// - Cancels: when it is asked to before there is such an element: the task is cancelled, and with it the iteration.
  /// - Parameters:
  ///   - priority: The priority of the task; by default that of the code that asks.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - predicate: Called with one element after the other.
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
