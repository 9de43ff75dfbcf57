internal import OvermorrowEngine

/// A promise whose work starts when the promise is first read.
///
/// ```swift
/// let preview = LazyPromise<Image, any Error>(on: .utility) { resolver in
///   resolver.fulfill(with: try render())
/// }
/// // nothing has been rendered yet
/// preview.promise.then { show($0) }
/// ```
///
/// All copies of a lazy promise are equal and share one promise. If ``promise`` is never read, the work never starts.
public struct LazyPromise<Value: Sendable, Failure: Sendable>: Sendable {
  /// The resolver that the body receives.
  public typealias Resolver = Promise<Value, Failure>.Resolver

  private let storage: Storage

  /// Creates a lazy promise whose body runs when ``promise`` is first read.
  ///
  /// - Fulfils, fails, cancels: when `body` resolves the promise, during the call of `body` or later. Also cancels if
  ///   all copies of the resolver are released without resolving the promise, or if an executor drops `body` without
  ///   running it.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: The context on which `body` runs. `.nowOr(other)` counts as `other`.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - body: A closure that starts the work and resolves the promise through `resolver`.
  @_disfavoredOverload  // for a closure that throws nothing, because no error type can be inferred from it
  public init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (_ resolver: Resolver) -> Void
  ) {
    self.init(running: body, on: context, site: CallSite(fileID, line))
  }

  private init(
    running body: @escaping @Sendable (_ resolver: Resolver) -> Void, on context: PromiseContext, site: CallSite
  ) {
    storage = Storage(context: context.later, site: site, body: body)
  }

  /// The promise. The first read starts the work. Every read returns the same promise.
  public var promise: Promise<Value, Failure> { storage.promise() }

  /// The promise if its work has started, and a description of the promise or of the work.
  var content: (promise: Promise<Value, Failure>?, text: String) { storage.content }

  private final class Storage: Sendable {
    private struct State {
      var promise: Promise<Value, Failure>?
      /// `nil` once the promise has been made.
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

    var content: (promise: Promise<Value, Failure>?, text: String) {
      let promise = state.withLock { $0.promise }
      let place = "\(site.text.map { "made at \($0), " } ?? "")body on \(context)"
      return (promise, promise?.debugDescription ?? "not started, \(place)")
    }

    func promise() -> Promise<Value, Failure> {
      let (promise, start) = state.withLock { state -> (Promise<Value, Failure>, OneShot?) in
        if let promise = state.promise { return (promise, nil) }
        let (promise, resolver) = Promise<Value, Failure>.makeWithResolver(site: site)
        state.promise = promise
        promise.handle.core.bodyWaits(on: context)
        return (promise, state.body.take().map { body in OneShot { resolver.object.inScope { body(resolver) } } })
      }
      // The body runs outside the lock, because the body may read `promise`.
      start?.run(on: context)
      return promise
    }
  }
}

extension LazyPromise where Failure: Error {
  /// Creates a lazy promise whose body may throw and runs when ``promise`` is first read.
  ///
  /// An error that the body throws rejects the promise, and a `CancellationError` cancels the promise.
  ///
  /// - Fulfils, fails, cancels: when `body` resolves the promise, during the call of `body` or later. Also cancels if
  ///   all copies of the resolver are released without resolving the promise, or if an executor drops `body` without
  ///   running it.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: The context on which `body` runs. `.nowOr(other)` counts as `other`.
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

  /// Creates a lazy promise whose body runs on the actor that the body is isolated to.
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

  /// Creates a lazy promise for the result of an async closure.
  ///
  /// The closure is called when ``promise`` is first read.
  ///
  /// - Fulfils, fails, cancels: like a promise made by ``Promise/init(priority:fileID:line:_:)``.
  /// - Runs on: the actor that `operation` is isolated to, or the global executor if it is isolated to none.
  /// - Parameters:
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - operation: The async closure to call.
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
  /// Returns whether both values are copies of one lazy promise.
  public static func == (left: LazyPromise, right: LazyPromise) -> Bool { left.storage === right.storage }
}
