import Overmorrow
internal import TomorrowlandBase

// The closures that resolve a promise, and the closures that run on a request to cancel, inherit the actor of the
// surrounding code. The closures of the operators inherit that actor too.

extension Promise {
  /// Creates a promise that a closure resolves. See `Promise.init(on:_:)` of Overmorrow.
  public init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ handler: @escaping @Sendable @isolated(any) (_ resolver: Resolver) -> Void
  ) {
    self.init(running: PromiseAdapter.plain(handler), on: context, fileID: fileID, line: line)
  }

  /// Returns a promise with the same result. Even while the new promise has a handle, it passes on its children's
  /// requests to cancel. See `Promise.propagatingCancellation` of Overmorrow.
  public func propagatingCancellation(
    on context: PromiseContext,
    @_inheritActorContext(always) cancelRequested: @escaping @Sendable @isolated(any) (_ promise: Promise) -> Void
  ) -> Promise {
    propagatingCancellation(calling: PromiseAdapter.plain(cancelRequested), on: context)
  }
}

extension Promise where Failure == any Swift.Error {
  /// Creates a promise that a closure resolves. An error that the closure throws rejects the promise. See
  /// `Promise.init(on:_:)` of Overmorrow.
  public init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ handler: @escaping @Sendable @isolated(any) (_ resolver: Resolver) throws -> Void
  ) {
    let handler = PromiseAdapter.plain(handler)
    self.init(
      running: { resolver in
        do { try handler(resolver) } catch { resolver.reject(with: error) }
      }, on: context, fileID: fileID, line: line)
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
      }, on: context, fileID: fileID, line: line)
  }
}

extension Promise.Resolver {
  /// Registers a closure to run when cancellation is requested. See `Resolver.onRequestCancel` of Overmorrow.
  public func onRequestCancel(
    on context: PromiseContext,
    @_inheritActorContext(always) _ callback: @escaping @Sendable @isolated(any) (Promise.Resolver) -> Void
  ) {
    onRequestCancel(calling: PromiseAdapter.plain(callback), on: context)
  }
}

extension LazyPromise {
  /// Creates a lazy promise. The closure runs when the property `promise` is first read. See `LazyPromise.init(on:_:)`
  /// of Overmorrow.
  public init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ handler: @escaping @Sendable @isolated(any) (_ resolver: Resolver) -> Void
  ) {
    self.init(running: PromiseAdapter.plain(handler), on: context, fileID: fileID, line: line)
  }
}

extension LazyPromise where Failure == any Swift.Error {
  /// Creates a lazy promise. The closure runs when the property `promise` is first read. See `LazyPromise.init(on:_:)`
  /// of Overmorrow.
  public init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ handler: @escaping @Sendable @isolated(any) (_ resolver: Resolver) throws -> Void
  ) {
    let handler = PromiseAdapter.plain(handler)
    self.init(
      running: { resolver in
        do { try handler(resolver) } catch { resolver.reject(with: error) }
      }, on: context, fileID: fileID, line: line)
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
      }, on: context, fileID: fileID, line: line)
  }
}
