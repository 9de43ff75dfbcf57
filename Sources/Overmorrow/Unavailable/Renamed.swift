// Names that this library had before version 1.0. The compiler's message says what to write instead.

extension Promise {
  /// The former form of ``timeout(on:_:clock:)``.
  @available(*, unavailable, renamed: "timeout(on:_:clock:)")
  public func timeout(
    on context: PromiseContext = .nowOr(.auto), delay: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Promise { self }

  #if !canImport(ObjectiveC)
    /// ``Promise`` has this method only on platforms with an Objective-C runtime.
    @available(
      *, unavailable,
      message: "store a 'PromiseInvalidationToken()' in the object, and use 'requestCancelOnInvalidate(_:)'"
    )
    @discardableResult
    public func requestCancelOnDeinit(_ object: AnyObject) -> Promise { self }
  #endif
}

extension Promise.Resolver where Failure == any Error {
  /// The former name of ``completionHandler(isCancellation:)``.
  @available(*, unavailable, renamed: "completionHandler(isCancellation:)")
  public func handleCallback(
    isCancelError: @escaping @Sendable (any Error) -> Bool = { _ in false }
  ) -> @Sendable (Value?, (any Error)?) -> Void {
    completionHandler(isCancellation: isCancelError)
  }
}

extension TokenPromise {
  /// The former form of ``timeout(on:_:clock:)``.
  @available(*, unavailable, renamed: "timeout(on:_:clock:)")
  public func timeout(
    on context: PromiseContext = .nowOr(.auto), delay: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> TokenPromise { self }
}

extension BoundPromise {
  /// The former form of ``timeout(on:_:clock:)``.
  @available(*, unavailable, renamed: "timeout(on:_:clock:)")
  public func timeout(
    on context: PromiseContext = .nowOr(.auto), delay: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> BoundPromise { self }

  /// A former way to end a chain together with its owner.
  @available(
    *, unavailable,
    message: "store a 'PromiseInvalidationToken()' in the owner, and use 'requestCancelOnInvalidate(_:)'"
  )
  @discardableResult
  public func requestCancelOnDeinit() -> BoundPromise { self }
}

/// The former name of ``LazyPromise``.
@available(*, unavailable, renamed: "LazyPromise")
public typealias DelayedPromise<Value: Sendable, Failure: Sendable> = LazyPromise<Value, Failure>

/// The former name of a ``PromiseCancellable`` that owns a chain.
@available(*, unavailable, renamed: "PromiseCancellable")
public typealias PromiseOwnership = PromiseCancellable

/// The former protocol of objects that cancel promises when they are released.
@available(
  *, unavailable, message: "store a 'PromiseInvalidationToken()', and use 'requestCancelOnInvalidate(_:)' with it"
)
public protocol PromiseOwner: AnyObject {}

/// The former type of the stored property of a `PromiseOwner`.
@available(*, unavailable, renamed: "PromiseInvalidationToken")
public typealias PromiseLifetime = PromiseInvalidationToken

/// The former type of the error ``PromiseError/callbackWithoutResult``.
@available(*, unavailable, renamed: "PromiseError", message: "'apiMismatch' is now 'callbackWithoutResult'")
public enum PromiseCallbackError: Error {
  /// The former name of ``PromiseError/callbackWithoutResult``.
  @available(*, unavailable, renamed: "callbackWithoutResult")
  case apiMismatch
}

/// The former type of the error ``PromiseError/ownerDeallocated``.
@available(*, unavailable, renamed: "PromiseError", message: "'contextDeallocated' is now 'ownerDeallocated'")
public enum PromiseOwnerError: Error {
  /// The former name of ``PromiseError/ownerDeallocated``.
  @available(*, unavailable, renamed: "ownerDeallocated")
  case contextDeallocated
}

extension PromiseDiagnostics {
  /// The former name of ``handler``.
  @available(*, unavailable, renamed: "handler")
  public static var sink: (@Sendable (PromiseDiagnostic) -> Void)? {
    get { handler }
    set { handler = newValue }
  }
}

/// A former function that is replaced by ``when(settled:fileID:line:)``.
@available(*, unavailable, message: "use 'when(settled:)', which gives a dictionary of results")
public func when<Key: Sendable, Value, Failure>(
  anyFulfilled promises: [Key: Promise<Value, Failure>]
) -> Promise<[Key: PromiseResult<Value, Failure>], Never> {
  when(settled: promises)
}

/// The former type of the result of `when(anyFulfilled:)`.
@available(*, unavailable, message: "'when(settled:)' gives a dictionary of results: '[Key: PromiseResult]'")
public typealias PromiseKeyedResults<Key: Hashable, Value, Failure> = [Key: PromiseResult<Value, Failure>]

/// The former type of the error of `when(anyFulfilled:)`.
@available(*, unavailable, message: "'when(settled:)' never fails: the errors are in its dictionary of results")
public typealias PromiseKeyedErrors<Key: Hashable, Failure> = [Key: Failure]

/// The former type of the error of `PromiseKeyedResults.requiredValue(for:)`.
@available(*, unavailable, message: "'when(settled:)' gives a dictionary of results, in which a missing key is 'nil'")
public typealias PromiseMissingKeyError<Key: Hashable> = Key
