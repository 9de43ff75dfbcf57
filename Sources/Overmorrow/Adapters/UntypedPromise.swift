public import OvermorrowEngine

// Promises and resolvers without their types. Generic code that a client cannot specialise asks the runtime for the
// metadata of its types, which costs more than the work itself. So the modules above the core have a thin inlinable
// layer that depends on types, and pass promises to the rest of their code in this form.

/// A copy of a promise without its types.
@usableFromInline
package struct UntypedPromise: Sendable {
  @usableFromInline let handle: PromiseHandle

  @inlinable
  @inline(__always)
  package init<Value, Failure>(_ promise: Promise<Value, Failure>) { handle = promise.handle }

  /// Returns the promise, which must have these types.
  @inlinable
  @inline(__always)
  package func typed<Value, Failure>() -> Promise<Value, Failure> { Promise(handle) }

  /// Whether the promise is resolved.
  @usableFromInline
  package var isResolved: Bool { withExtendedLifetime(handle) { handle.core.outcome != nil } }

  /// Whether the promise is fulfilled or cancelled.
  @usableFromInline
  package var isResolvedWithoutError: Bool {
    withExtendedLifetime(handle) { handle.core.outcome.map { $0 != .error } ?? false }
  }

  /// Whether the promise is fulfilled. Unlike a read of `result`, this is no read of an error.
  @usableFromInline
  package var hasValue: Bool { withExtendedLifetime(handle) { handle.core.outcome == .value } }

  /// Runs an action of the library when the promise has resolved, like ``Promise/whenResolved(_:)``.
  package func whenResolved(_ action: @escaping @Sendable () -> Void) { handle.whenResolved(action) }

  /// Does the same as ``Promise/forwardRequestsWhileHeld()``.
  @usableFromInline
  package func forwardRequestsWhileHeld() { handle.core.forwardRequestsWhileHeld() }

  /// Adds a vote without an observer, for ``Promise/waitForFinalResult(replacingVote:)``. Returns `false` if all
  /// observers have asked to cancel, because the request is then already being forwarded.
  @usableFromInline
  package func holdVote() -> Bool { withExtendedLifetime(handle) { handle.core.holdVote() } }

  /// Removes a vote of ``holdVote()``, without a request to cancel.
  package func forgetVote() { withExtendedLifetime(handle) { handle.core.forgetVote() } }

  /// A reference that does not retain the promise.
  package var reference: PromiseReference { PromiseReference(handle) }
}

/// A reference to a promise, through which the promise can be asked to cancel. It retains neither the promise nor the
/// work of the promise. It retains the memory of the result.
package struct PromiseReference: ~Copyable, Sendable {
  private let core: Owned

  fileprivate init(_ handle: PromiseHandle) { core = withExtendedLifetime(handle) { Owned(handle.core) } }

  /// Asks the promise to cancel.
  package func requestCancel() { core.core.requestCancel() }

  /// Whether the promise was asked to cancel before it has resolved.
  package var hasBeenAskedToCancel: Bool { core.core.hasBeenAskedToCancel }

  /// Runs a closure with the core.
  func withCore<Result>(_ body: (CoreRef) -> Result) -> Result { body(core.core) }

  /// Returns whether this reference refers to a promise.
  package func refers(to promise: UntypedPromise) -> Bool {
    withExtendedLifetime(promise.handle) { core.core == promise.handle.core }
  }
}

/// A copy of a resolver without its types.
@usableFromInline
package struct UntypedResolver: Sendable {
  @usableFromInline let object: ResolverClaim

  @inlinable
  @inline(__always)
  package init<Value, Failure>(_ resolver: Promise<Value, Failure>.Resolver) { object = resolver.object }

  init(_ object: ResolverClaim) { self.object = object }

  /// Cancels the promise.
  package func cancel() { object.cancel() }

  /// Resolves the promise with the result of another promise, which has the same types.
  package func resolve(with promise: UntypedPromise) { object.adopt(promise.handle) }

  /// Registers a handler that runs inside the call that asks the promise to cancel. The handler does not run if the
  /// promise has resolved. The promise must not be shared yet.
  ///
  /// - Parameter handler: The handler. It receives the resolver, or `nil` if the last copy of the resolver is being
  ///   released.
  package func onRequestCancel(_ handler: @escaping @Sendable (UntypedResolver?) -> Void) {
    _ = object.withCore { $0.addCancelHandler({ handler($0.map { UntypedResolver($0) }) }, from: object) }
  }
}

extension Promise.Resolver {
  /// Creates a resolver from its untyped form, which must be that of a resolver with these types.
  @inlinable
  @inline(__always)
  package init(_ untyped: UntypedResolver) { self.init(untyped.object) }
}
