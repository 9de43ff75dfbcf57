extension Promise {
  /// The result, waited for by the task that asks.
  ///
  /// ```swift
  /// switch await page.finalResult {
  /// case .value(let page): show(page)
  /// case .error(let fault): show("The server says: \(fault)")
  /// case .cancelled: break
  /// }
  /// ```
  ///
  /// Each task that waits has one vote, like an observer. When the task is cancelled, it withdraws the vote and gets
  /// `.cancelled` at once, whatever the promise does later; others go on waiting. If that was the last vote, and the
  /// promise is no longer held, the promise is asked to cancel.
  ///
  /// - Order: Tasks and other observers are served in the order in which they came. A task goes on where its executor
  ///   puts it, so that what it does next may come after callbacks that were registered later.
  @inlinable
  nonisolated(nonsending) public var finalResult: PromiseResult<Value, Failure> {
    get async {
      if let result { return result }
      return await waitForFinalResult()
    }
  }
}

extension Promise where Failure: Error {
  /// The value, waited for by the task that asks.
  ///
  /// ```swift
  /// let user = try await logIn().value
  /// ```
  ///
  /// Waits as ``finalResult`` does.
  ///
  /// - Throws: The promise's error; `CancellationError` if the promise or the waiting task is cancelled.
  @inlinable
  nonisolated(nonsending) public var value: Value {
    get async throws { try await finalResult.get() }
  }
}

extension Promise where Failure == Never {
  /// The value, waited for by the task that asks.
  ///
  /// Waits as ``finalResult`` does.
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
