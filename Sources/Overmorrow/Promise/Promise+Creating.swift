extension Promise {
  /// A promise that a closure produces.
  ///
  /// - Fulfils, fails, cancels: as the resolver is told to, during the call or later. Also cancels when the last copy
  ///   of the resolver is released unused, and when an executor drops the body unrun.
  /// - Runs on: `context`. `.immediate` and `.nowOr` run the body before this initialiser returns.
  /// - Parameters:
  ///   - context: Where the body runs.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - body: The work. It resolves the promise through the resolver.
  @_disfavoredOverload
  public init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (_ resolver: Resolver) -> Void
  ) {
    self.init(running: body, on: context, site: CallSite(fileID, line))
  }

  /// As `init(on:_:)`, by a name that a drop-in module can call from its own.
  package init(
    running body: @escaping @Sendable (_ resolver: Resolver) -> Void, on context: PromiseContext, site: CallSite
  ) {
    let (promise, resolver) = Promise.makeWithResolver(site: site)
    self = promise
    handle.core.bodyWaits(on: context)
    OneShot { resolver.producer.inScope { body(resolver) } }.run(on: context)
  }

  /// A fulfilled promise.
  ///
  /// - Parameters:
  ///   - value: What it is fulfilled with.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  @inlinable
  @_disfavoredOverload  // an unlabelled trailing closure is the body of a promise
  public init(fulfilled value: Value, fileID: StaticString = #fileID, line: UInt = #line) {
    self.init(resolved: .value, site: CallSite(fileID, line))
    handle.core.write(value)
  }

  /// A rejected promise.
  ///
  /// - Parameters:
  ///   - error: What it is rejected with.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  @inlinable
  @_disfavoredOverload  // an unlabelled trailing closure is the body of a promise
  public init(rejected error: Failure, fileID: StaticString = #fileID, line: UInt = #line) {
    self.init(resolved: .error, site: CallSite(fileID, line))
    handle.core.write(error)
  }

  /// A resolved promise.
  ///
  /// - Parameters:
  ///   - result: What it is resolved to.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  @inlinable
  public init(with result: PromiseResult<Value, Failure>, fileID: StaticString = #fileID, line: UInt = #line) {
    self.init(with: result, site: CallSite(fileID, line))
  }

  @inlinable
  package init(with result: PromiseResult<Value, Failure>, site: CallSite) {
    switch result {
    case .value(let value):
      self.init(resolved: .value, site: site)
      handle.core.write(value)
    case .error(let error):
      self.init(resolved: .error, site: site)
      handle.core.write(error)
    case .cancelled: self.init(resolved: .cancelled, site: site)
    }
  }

  /// A resolved promise whose payload is to be written next.
  @inlinable
  init(resolved outcome: Outcome, site: CallSite) {
    self.init(resolved: outcome)
    if handle.awaitsNote { handle.takeNote(site) }
  }

  /// The same for a promise that is not made by user code.
  @inlinable
  init(resolved outcome: Outcome) {
    typealias Operations = RootOperations<Value, Failure>
    self.init(
      PromiseHandle.makeResolved(outcome, words: Operations.words, traits: Operations.traits) {
        Operations.perform($0, $1, $2)
      })
  }

  /// An unresolved promise, and what resolves it.
  ///
  /// For code that learns of its result somewhere else, such as a delegate. It is safe to resolve twice, the first time
  /// counts; and not to resolve at all, which cancels the promise as soon as the last copy of the resolver is gone.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  /// - Returns: The promise, and the resolver for it.
  @inlinable
  public static func makeWithResolver(fileID: StaticString = #fileID, line: UInt = #line) -> (Promise, Resolver) {
    makeWithResolver(site: CallSite(fileID, line))
  }

  @inlinable
  package static func makeWithResolver(site: CallSite) -> (Promise, Resolver) { make([], at: site, by: .resolver) }

  /// As `makeWithResolver()`, for the library itself: what happens to the resolver is no mistake of the user.
  ///
  /// - Parameters:
  ///   - site: Where the user has asked for the promise.
  ///   - kind: What resolves it.
  @inlinable
  package static func makeForLibrary(
    at site: CallSite = CallSite(#fileID, 0), by kind: ProducerKind = .resolver
  ) -> (Promise, Resolver) {
    make(.library, at: site, by: kind)
  }

  @inlinable
  @inline(__always)
  static func make(_ traits: Traits, at site: CallSite, by kind: ProducerKind) -> (Promise, Resolver) {
    typealias Operations = RootOperations<Value, Failure>
    let (handle, producer) = PromiseHandle.makeWithProducer(
      words: Operations.words, traits: Operations.traits.union(traits)
    ) {
      Operations.perform($0, $1, $2)
    }
    if handle.awaitsNote { handle.takeNote(site, producer, kind) }
    return (Promise(handle), Resolver(producer))
  }
}

extension Promise where Failure: Error {
  /// A promise that a closure produces, and that is rejected with what the closure throws.
  ///
  /// Throwing after having resolved does nothing.
  ///
  /// - Fulfils, fails, cancels: as the resolver is told to, during the call or later. Also cancels when the last copy
  ///   of the resolver is released unused, and when an executor drops the body unrun.
  /// - Runs on: `context`. `.immediate` and `.nowOr` run the body before this initialiser returns.
  /// - Parameters:
  ///   - context: Where the body runs.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - body: The work. It resolves the promise through the resolver.
  public init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (_ resolver: Resolver) throws(Failure) -> Void
  ) {
    self.init(
      running: { resolver in
        do throws(Failure) { try body(resolver) } catch { resolver.resolve(with: .thrown(error)) }
      }, on: context, site: CallSite(fileID, line))
  }

  /// A promise that a closure produces where it belongs.
  ///
  /// Behaves as ``init(on:fileID:line:_:)`` otherwise.
  ///
  /// - Runs on: the actor that `body` belongs to, or `.default` if it belongs to none.
  /// - Parameters:
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - body: The work. It resolves the promise through the resolver.
  public init(
    fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ body:
      @escaping @Sendable @isolated(any) (_ resolver: Resolver) throws(Failure) -> Void
  ) {
    self.init(
      on: .here(body.isolation, otherwise: .default), fileID: fileID, line: line, Isolation.uncheckedThrowing(body))
  }

  /// A promise that is fulfilled or rejected already.
  ///
  /// - Parameters:
  ///   - result: A success fulfils, a failure rejects.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  @inlinable
  public init(with result: Result<Value, Failure>, fileID: StaticString = #fileID, line: UInt = #line) {
    self.init(with: PromiseResult(result), site: CallSite(fileID, line))
  }
}
