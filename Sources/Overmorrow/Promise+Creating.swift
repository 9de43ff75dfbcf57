extension Promise {
  /// A promise that a closure produces.
  ///
  /// - Fulfils, fails, cancels: as the resolver is told to, during the call or later. Cancels, too, when the last copy of
  ///   the resolver goes unused, and when an executor drops the body unrun.
  /// - Runs on: `context`. `.immediate` and `.nowOr` run the body before this initialiser returns.
  /// - Parameters:
  ///   - context: Where the body runs. There is no default, so that nothing expensive runs on the main queue by
  ///     accident.
  ///   - body: The work. It resolves the promise through the resolver.
  @_disfavoredOverload
  public init(on context: PromiseContext, _ body: @escaping @Sendable (_ resolver: Resolver) -> Void) {
    self.init(running: body, on: context)
  }

  /// As `init(on:_:)`, by a name that a drop-in module can call from its own.
  package init(running body: @escaping @Sendable (_ resolver: Resolver) -> Void, on context: PromiseContext) {
    let (promise, resolver) = Promise.makeWithResolver()
    self = promise
    handle.core.bodyWaits(on: context)
    OneShot { resolver.producer.inScope { body(resolver) } }.run(on: context)
  }

  /// A fulfilled promise.
  ///
  /// - Parameter value: What it is fulfilled with.
  @inlinable
  @_disfavoredOverload  // an unlabelled trailing closure is the body of a promise
  public init(fulfilled value: Value) {
    self.init(resolved: .value)
    handle.core.write(value)
  }

  /// A rejected promise.
  ///
  /// - Parameter error: What it is rejected with.
  @inlinable
  @_disfavoredOverload  // an unlabelled trailing closure is the body of a promise
  public init(rejected error: Failure) {
    self.init(resolved: .error)
    handle.core.write(error)
  }

  /// A resolved promise.
  ///
  /// - Parameter result: What it is resolved to.
  @inlinable
  public init(with result: PromiseResult<Value, Failure>) {
    switch result {
    case .value(let value): self.init(fulfilled: value)
    case .error(let error): self.init(rejected: error)
    case .cancelled: self.init(resolved: .cancelled)
    }
  }

  /// A resolved promise whose payload is to be written next.
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
  /// - Returns: The promise, and the resolver for it.
  @inlinable
  public static func makeWithResolver() -> (Promise, Resolver) {
    typealias Operations = RootOperations<Value, Failure>
    let (handle, producer) = PromiseHandle.makeWithProducer(words: Operations.words, traits: Operations.traits) {
      Operations.perform($0, $1, $2)
    }
    return (Promise(handle), Resolver(producer))
  }
}

extension Promise where Failure: Error {
  /// A promise that a closure produces, and that is rejected with what the closure throws.
  ///
  /// Throwing after having resolved does nothing.
  ///
  /// - Fulfils, fails, cancels: as the resolver is told to, during the call or later. Cancels, too, when the last copy of
  ///   the resolver goes unused, and when an executor drops the body unrun.
  /// - Runs on: `context`. `.immediate` and `.nowOr` run the body before this initialiser returns.
  /// - Parameters:
  ///   - context: Where the body runs. There is no default, so that nothing expensive runs on the main queue by
  ///     accident.
  ///   - body: The work. It resolves the promise through the resolver.
  public init(
    on context: PromiseContext, _ body: @escaping @Sendable (_ resolver: Resolver) throws(Failure) -> Void
  ) {
    self.init(
      running: { resolver in
        do throws(Failure) { try body(resolver) } catch { resolver.reject(with: error) }
      }, on: context)
  }

  /// A promise that is fulfilled or rejected already.
  ///
  /// - Parameter result: A success fulfils, a failure rejects.
  @inlinable
  public init(with result: Result<Value, Failure>) { self.init(with: PromiseResult(result)) }
}
