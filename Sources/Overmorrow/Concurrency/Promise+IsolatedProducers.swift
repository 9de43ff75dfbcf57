// Bodies and cancel handlers that run on the actor that their closure belongs to: see `IsolatedContext`.

extension Promise {
  /// A promise that a closure produces, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/init(on:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run the body before this initialiser returns.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - body: The work. It resolves the promise through the resolver.
  @_disfavoredOverload
  public init(
    at context: IsolatedContext, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ body: @escaping @Sendable @isolated(any) (_ resolver: Resolver) -> Void
  ) {
    self.init(on: context.context(of: body.isolation, registeredOn: isolation), Isolation.unchecked(body))
  }

  /// A new promise with the same result that may be held without keeping its children from cancelling, with a handler on
  /// the actor that its closure belongs to.
  ///
  /// In all else as ``Promise/propagatingCancellation(on:cancelRequested:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - cancelRequested: Called with the new promise when all its children, or somebody who holds it, have asked to
  ///     cancel, right before the request is passed on.
  public func propagatingCancellation(
    at context: IsolatedContext, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) cancelRequested: @escaping @Sendable @isolated(any) (_ promise: Promise) -> Void
  ) -> Promise {
    propagatingCancellation(
      on: context.context(of: cancelRequested.isolation, registeredOn: isolation),
      cancelRequested: Isolation.unchecked(cancelRequested))
  }
}

extension Promise where Failure: Error {
  /// A promise that a closure produces, on the actor that the closure belongs to, and that is rejected with what the
  /// closure throws.
  ///
  /// In all else as ``Promise/init(on:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run the body before this initialiser returns.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - body: The work. It resolves the promise through the resolver.
  public init(
    at context: IsolatedContext, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ body:
      @escaping @Sendable @isolated(any) (_ resolver: Resolver) throws(Failure) -> Void
  ) {
    self.init(on: context.context(of: body.isolation, registeredOn: isolation), Isolation.uncheckedThrowing(body))
  }
}

extension Promise.Resolver {
  /// Registers what to do when cancelling the promise is requested, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/Resolver/onRequestCancel(on:_:)``.
  ///
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the request has been made already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - callback: Receives this resolver, usually to cancel it after having stopped the work.
  public func onRequestCancel(
    at context: IsolatedContext, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ callback: @escaping @Sendable @isolated(any) (Promise.Resolver) -> Void
  ) {
    onRequestCancel(on: context.context(of: callback.isolation, registeredOn: isolation), Isolation.unchecked(callback))
  }
}
