public import OvermorrowDiagnostics
public import OvermorrowEngine

extension Promise {
  /// Creates a promise that a closure resolves.
  ///
  /// - Fulfils, fails, cancels: when `body` resolves the promise, during the call of `body` or later. Also cancels if
  ///   all copies of the resolver are released without resolving the promise, or if an executor drops `body` without
  ///   running it.
  /// - Runs on: `context`. `.immediate` and `.nowOr` run the body before this initialiser returns.
  /// - Parameters:
  ///   - context: The context on which `body` runs.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - body: A closure that starts the work and resolves the promise through `resolver`.
  @_disfavoredOverload
  public init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (_ resolver: Resolver) -> Void
  ) {
    self.init(running: body, on: context, site: CallSite(fileID, line))
  }

  /// Does the same as `init(on:_:)`, for a call that has recorded its place.
  package init(
    running body: @escaping @Sendable (_ resolver: Resolver) -> Void, on context: PromiseContext, site: CallSite
  ) {
    let (promise, resolver) = Promise.makeWithResolver(site: site)
    self = promise
    handle.core.bodyWaits(on: context)
    resolver.run(body, on: context)
  }

  /// Creates a fulfilled promise.
  ///
  /// - Parameters:
  ///   - value: The value of the promise.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  @inlinable
  @_disfavoredOverload  // so that an unlabelled trailing closure counts as the body of a promise
  public init(fulfilled value: consuming Value, fileID: StaticString = #fileID, line: UInt = #line) {
    self.init(with: .value(consume value), site: CallSite(fileID, line))
  }

  /// Creates a rejected promise.
  ///
  /// - Parameters:
  ///   - error: The error of the promise.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  @inlinable
  @_disfavoredOverload  // so that an unlabelled trailing closure counts as the body of a promise
  public init(rejected error: consuming Failure, fileID: StaticString = #fileID, line: UInt = #line) {
    self.init(with: .error(consume error), site: CallSite(fileID, line))
  }

  /// Creates a resolved promise.
  ///
  /// - Parameters:
  ///   - result: The result of the promise.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  @inlinable
  public init(with result: consuming PromiseResult<Value, Failure>, fileID: StaticString = #fileID, line: UInt = #line)
  {
    self.init(with: consume result, site: CallSite(fileID, line))
  }

  @inlinable
  @inline(__always)
  package init(
    with result: consuming PromiseResult<Value, Failure>, site: CallSite, by kind: ProducerKind = .resolver
  ) {
    self.init(resolvedTo: consume result)
    if handle.awaitsNote { handle.takeNote(site, nil, kind) }
  }

  /// Creates a resolved promise without a call site, for promises that user code does not make.
  @inlinable
  @inline(__always)
  init(resolvedTo result: consuming PromiseResult<Value, Failure>) {
    switch consume result {
    case .value(let value): self.init(RootOperations<Value, Failure>.makeFulfilled(with: consume value))
    case .error(let error): self.init(RootOperations<Value, Failure>.makeRejected(with: consume error))
    case .cancelled: self.init(RootOperations<Value, Failure>.makeCancelled())
    }
  }

  /// Creates an unresolved promise and its resolver.
  ///
  /// Use this method if no single closure can resolve the promise, for instance because the result arrives in a
  /// delegate method. Only the first call that resolves the promise has an effect. If no such call is made before the
  /// last copy of the resolver is released, the promise is cancelled.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  /// - Returns: The promise, and the resolver for it.
  @inlinable
  public static func makeWithResolver(
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> (promise: Promise, resolver: Resolver) {
    makeWithResolver(site: CallSite(fileID, line))
  }

  @inlinable
  package static func makeWithResolver(site: CallSite) -> (Promise, Resolver) { make([], at: site, by: .resolver) }

  /// Creates an unresolved promise and its resolver for the library itself. The diagnostics do not report what happens
  /// to the resolver.
  ///
  /// - Parameters:
  ///   - site: The user's call for which the promise is made.
  ///   - kind: The kind of code that resolves the promise, for diagnostics.
  @inlinable
  package static func makeForLibrary(
    at site: CallSite, by kind: ProducerKind = .resolver
  ) -> (Promise, Resolver) {
    make(.library, at: site, by: kind)
  }

  @inlinable
  @inline(__always)
  static func make(_ traits: Traits, at site: CallSite, by kind: ProducerKind) -> (Promise, Resolver) {
    let (handle, resolver) = RootOperations<Value, Failure>.makeWithResolver(traits)
    if handle.awaitsNote { handle.takeNote(site, resolver, kind) }
    return (Promise(handle), Resolver(resolver))
  }
}

extension Promise where Failure: Error {
  /// Creates a promise that a closure resolves. The closure may throw.
  ///
  /// An error that the closure throws rejects the promise, and a `CancellationError` cancels the promise. An error that
  /// is thrown after the promise has been resolved is ignored.
  ///
  /// - Fulfils, fails, cancels: when `body` resolves the promise, during the call of `body` or later. Also cancels if
  ///   all copies of the resolver are released without resolving the promise, or if an executor drops `body` without
  ///   running it.
  /// - Runs on: `context`. `.immediate` and `.nowOr` run the body before this initialiser returns.
  /// - Parameters:
  ///   - context: The context on which `body` runs.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - body: A closure that starts the work and resolves the promise through `resolver`.
  public init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (_ resolver: Resolver) throws(Failure) -> Void
  ) {
    self.init(
      running: { resolver in
        do throws(Failure) { try body(resolver) } catch { resolver.resolve(with: .thrown(error)) }
      }, on: context, site: CallSite(fileID, line))
  }

  /// Creates a promise that a closure resolves, on the actor that the closure is isolated to.
  ///
  /// Otherwise, this behaves like ``init(on:fileID:line:_:)``.
  ///
  /// - Runs on: the actor that `body` is isolated to, or `.default` if it is isolated to none.
  /// - Parameters:
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - body: A closure that starts the work and resolves the promise through `resolver`.
  public init(
    fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ body:
      @escaping @Sendable @isolated(any) (_ resolver: Resolver) throws(Failure) -> Void
  ) {
    self.init(
      on: .isolated(to: body.isolation, otherwise: .default), fileID: fileID, line: line,
      Isolation.uncheckedThrowing(body))
  }

  /// Creates a promise that is already fulfilled or rejected.
  ///
  /// - Parameters:
  ///   - result: The result. A success fulfils the promise, and a failure rejects it.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  @inlinable
  public init(with result: Result<Value, Failure>, fileID: StaticString = #fileID, line: UInt = #line) {
    self.init(with: PromiseResult(result), site: CallSite(fileID, line))
  }
}
