/// A promise whose work starts when it is first used.
///
/// ```swift
/// let preview = LazyPromise<Image, any Error>(on: .utility) { resolver in
///   resolver.fulfill(with: try render())
/// }
/// // nothing has been rendered yet
/// preview.promise.then { show($0) }
/// ```
///
/// All copies are the same lazy promise, and equal. If it is never used, the work is never done.
public struct LazyPromise<Value: Sendable, Failure: Sendable>: Sendable {
  /// What resolves the promise.
  public typealias Resolver = Promise<Value, Failure>.Resolver

  private let storage: Storage

  /// A promise whose body runs when ``promise`` is first read.
  ///
  /// - Fulfils, fails, cancels: as the resolver is told to, during the call or later. Also cancels when the last copy
  ///   of the resolver is released unused, and when an executor drops the body unrun.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where the body runs. `.nowOr(context)` means `context`.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - body: The work. It resolves the promise through the resolver.
  @_disfavoredOverload  // also, a lone form with a typed error cannot infer it for a closure that throws nothing
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
    storage = Storage(context: context.later, site: site, body: body)
  }

  /// The promise. Reading it for the first time starts the work; it is always the same promise.
  public var promise: Promise<Value, Failure> { storage.promise() }

  private final class Storage: Sendable {
    private struct State {
      var promise: Promise<Value, Failure>?
      /// Taken out when the promise is made.
      var body: (@Sendable (Resolver) -> Void)?
    }

    private let state: Guarded<State>
    private let context: PromiseContext
    private let site: CallSite

    init(context: PromiseContext, site: CallSite, body: @escaping @Sendable (Resolver) -> Void) {
      state = Guarded(State(body: body))
      self.context = context
      self.site = site
    }

    func promise() -> Promise<Value, Failure> {
      let (promise, start) = state.withLock { state -> (Promise<Value, Failure>, OneShot?) in
        if let promise = state.promise { return (promise, nil) }
        let (promise, resolver) = Promise<Value, Failure>.makeWithResolver(site: site)
        state.promise = promise
        promise.handle.core.bodyWaits(on: context)
        return (promise, state.body.take().map { body in OneShot { resolver.producer.inScope { body(resolver) } } })
      }
      // Outside the lock: the body may ask for the promise itself.
      start?.run(on: context)
      return promise
    }
  }
}

extension LazyPromise where Failure: Error {
  /// A promise whose body runs when ``promise`` is first read, and that is rejected with what the body throws.
  ///
  /// - Fulfils, fails, cancels: as the resolver is told to, during the call or later. Also cancels when the last copy
  ///   of the resolver is released unused, and when an executor drops the body unrun.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where the body runs. `.nowOr(context)` means `context`.
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

  /// A promise whose body runs where it belongs when ``promise`` is first read.
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

  /// A promise for what an async closure returns or throws, which is called when ``promise`` is first read.
  ///
  /// - Fulfils, fails, cancels: as the promise of such a closure, ``Promise/init(priority:fileID:line:_:)``.
  /// - Runs on: the actor of the closure, or else the global executor.
  /// - Parameters:
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - operation: The work.
  public init(
    fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ operation: @escaping @Sendable @isolated(any) () async throws(Failure) -> Value
  ) {
    let site = CallSite(fileID, line)
    self.init(
      running: { $0.resolve(with: Promise(priority: nil, at: site, operation)) }, on: .immediate, site: site)
  }
}

extension LazyPromise: Equatable {
  /// Whether both are copies of one lazy promise.
  public static func == (left: LazyPromise, right: LazyPromise) -> Bool { left.storage === right.storage }
}
