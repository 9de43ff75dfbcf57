import Overmorrow

// Bodies and cancel handlers that belong to where they are written, as the closures of the operators.

extension Promise {
  /// A promise that a closure produces. See `Promise.init(on:_:)` of Overmorrow.
  public init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ handler: @escaping @Sendable @isolated(any) (_ resolver: Resolver) -> Void
  ) {
    self.init(running: Isolation.unchecked(handler), on: context, site: CallSite(fileID, line))
  }

  /// The same result, passing on requests to cancel while held. See `Promise.propagatingCancellation` of Overmorrow.
  public func propagatingCancellation(
    on context: PromiseContext,
    @_inheritActorContext(always) cancelRequested: @escaping @Sendable @isolated(any) (_ promise: Promise) -> Void
  ) -> Promise {
    propagatingCancellation(calling: Isolation.unchecked(cancelRequested), on: context)
  }
}

extension Promise where Failure == any Swift.Error {
  /// A promise that a closure produces, or for what it throws. See `Promise.init(on:_:)` of Overmorrow.
  public init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ handler: @escaping @Sendable @isolated(any) (_ resolver: Resolver) throws -> Void
  ) {
    let handler = Isolation.uncheckedThrowing(handler)
    self.init(
      running: { resolver in
        do { try handler(resolver) } catch { resolver.reject(with: error) }
      }, on: context, site: CallSite(fileID, line))
  }
}

extension Promise where Failure: Swift.Error {
  /// Hides the initialiser of Overmorrow.
  @_disfavoredOverload
  public init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (_ resolver: Resolver) throws(Failure) -> Void
  ) {
    self.init(
      running: { resolver in
        do throws(Failure) { try body(resolver) } catch { resolver.reject(with: error) }
      }, on: context, site: CallSite(fileID, line))
  }
}

extension Promise.Resolver {
  /// Registers what to do when cancelling is requested. See `Resolver.onRequestCancel` of Overmorrow.
  public func onRequestCancel(
    on context: PromiseContext,
    @_inheritActorContext(always) _ callback: @escaping @Sendable @isolated(any) (Promise.Resolver) -> Void
  ) {
    onRequestCancel(calling: Isolation.unchecked(callback), on: context)
  }
}

extension LazyPromise {
  /// A promise whose body runs when it is first asked for. See `LazyPromise.init(on:_:)` of Overmorrow.
  public init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ handler: @escaping @Sendable @isolated(any) (_ resolver: Resolver) -> Void
  ) {
    self.init(running: Isolation.unchecked(handler), on: context, site: CallSite(fileID, line))
  }
}

extension LazyPromise where Failure == any Swift.Error {
  /// A promise whose body runs when it is first asked for. See `LazyPromise.init(on:_:)` of Overmorrow.
  public init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ handler: @escaping @Sendable @isolated(any) (_ resolver: Resolver) throws -> Void
  ) {
    let handler = Isolation.uncheckedThrowing(handler)
    self.init(
      running: { resolver in
        do { try handler(resolver) } catch { resolver.reject(with: error) }
      }, on: context, site: CallSite(fileID, line))
  }
}

extension LazyPromise where Failure: Swift.Error {
  /// Hides the initialiser of Overmorrow.
  @_disfavoredOverload
  public init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (_ resolver: Resolver) throws(Failure) -> Void
  ) {
    self.init(
      running: { resolver in
        do throws(Failure) { try body(resolver) } catch { resolver.reject(with: error) }
      }, on: context, site: CallSite(fileID, line))
  }
}
