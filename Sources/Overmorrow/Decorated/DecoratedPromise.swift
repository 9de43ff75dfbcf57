/// A promise with something that all further steps of its chain share: tokens, or an owner.
///
/// ``TokenPromise`` and ``BoundPromise`` are such chains, and combine in any order:
///
/// ```swift
/// fetchPage()
///   .withToken(token)
///   .bound(to: self)
///   .timeout(.seconds(10))
///   .then { view, page in view.show(page) }
/// ```
///
/// They are types of their own, so that no token and no owner travels unseen through a function that returns a `Promise`.
/// Where a plain promise is wanted, such as an input of `when`, give ``inner``.
public protocol DecoratedPromise<Value, Failure>: Sendable {
  /// What the promise is fulfilled with.
  associatedtype Value: Sendable
  /// What the promise is rejected with.
  associatedtype Failure: Sendable

  /// The promise at this point of the chain.
  var inner: Promise<Value, Failure> { get }
}

extension DecoratedPromise {
  /// The result, or `nil` while the promise is unresolved. See ``Promise/result``.
  public var result: PromiseResult<Value, Failure>? { inner.result }

  /// The result, waited for by the task that asks. See ``Promise/finalResult``.
  nonisolated(nonsending) public var finalResult: PromiseResult<Value, Failure> {
    get async { await inner.finalResult }
  }

  /// Asks the promise at this point to cancel. See ``Promise/requestCancel()``.
  public func requestCancel() { inner.requestCancel() }

  /// A way to ask for cancellation later that keeps nothing alive. See ``Promise/cancellable``.
  public var cancellable: PromiseCancellable { inner.cancellable }

  /// Keeps the chain going only as long as somebody holds the handle returned. See ``Promise/owned()``.
  public func owned() -> PromiseCancellable { inner.owned() }
}

extension DecoratedPromise where Failure: Error {
  /// The value, waited for by the task that asks. See ``Promise/value-3krp5``.
  ///
  /// - Throws: The promise's error; `CancellationError` if the promise or the waiting task is cancelled.
  nonisolated(nonsending) public var value: Value {
    get async throws { try await inner.value }
  }
}
