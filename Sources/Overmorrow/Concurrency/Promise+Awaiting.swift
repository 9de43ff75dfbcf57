extension Promise {
  /// The result. The calling task is suspended until the promise is resolved.
  ///
  /// ```swift
  /// switch await page.finalResult {
  /// case .value(let page): show(page)
  /// case .error(let fault): show("The server says: \(fault)")
  /// case .cancelled: break
  /// }
  /// ```
  ///
  /// Each waiting task has one vote, like an observer. If a waiting task is cancelled, the task withdraws its vote and
  /// receives `.cancelled` at once. Other waiting tasks are not affected. If the withdrawn vote was the last vote and
  /// no copy of the promise is left, the promise is asked to cancel.
  ///
  /// - Order: tasks are resumed, and other observers are called, in the order of registration. A resumed task continues
  ///   on its executor, so its code may run after callbacks that were registered later.
  @inlinable
  nonisolated(nonsending) public var finalResult: PromiseResult<Value, Failure> {
    get async {
      if let result { return result }
      return await waitForFinalResult()
    }
  }
}

extension Promise where Failure: Error {
  /// The value. The calling task is suspended until the promise is resolved.
  ///
  /// ```swift
  /// let user = try await logIn().value
  /// ```
  ///
  /// The getter waits like ``finalResult``.
  ///
  /// - Throws: The promise's error, or `CancellationError` if the promise or the waiting task is cancelled.
  @inlinable
  nonisolated(nonsending) public var value: Value {
    get async throws { try await finalResult.get() }
  }
}

extension Promise where Failure == Never {
  /// The value. The calling task is suspended until the promise is resolved.
  ///
  /// The getter waits like ``finalResult``.
  ///
  /// - Throws: `CancellationError` if the promise or the waiting task is cancelled.
  @inlinable
  nonisolated(nonsending) public var value: Value {
    get async throws(CancellationError) {
      if case .value(let value) = await finalResult { return value }
      throw CancellationError()
    }
  }
}
