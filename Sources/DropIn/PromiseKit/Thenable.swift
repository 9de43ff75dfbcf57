internal import Overmorrow

/// Something that has a result sooner or later: a ``Promise``, a ``Guarantee``, or a type of your own.
public protocol Thenable: AnyObject {
  /// What it is fulfilled with.
  associatedtype T
  /// Calls a closure with the result: at once if there is one, otherwise when it comes.
  func pipe(to: @escaping (Result<T>) -> Void)
  /// The result, or `nil` while there is none.
  var result: Result<T>? { get }
  /// The promise behind it. A type of your own gets this by ``pipe(to:)``.
  var _source: _Source<T> { get }
}

/// The promise behind a thenable.
public struct _Source<T>: Sendable {
  let core: Core<T>
}

typealias Core<T> = Overmorrow.Promise<Kept<T>, any Error>

/// A value, or a closure, on its way from thread to thread, as in the code that this module is for.
struct Kept<Value>: @unchecked Sendable {
  // Sendable: handed on by the promises, and never shared by them.
  let value: Value

  init(_ value: Value) { self.value = value }
}

extension Thenable {
  /// The promise behind it, resolved by ``pipe(to:)``.
  public var _source: _Source<T> {
    let (core, resolver) = Core<T>.makeForLibrary()
    pipe { resolver.resolve(with: $0.outcome) }
    return _Source(core: core)
  }

  /// The error, unless it is pending or fulfilled.
  public var error: (any Error)? { if case .rejected(let error)? = result { error } else { nil } }

  /// Whether there is no result yet.
  public var isPending: Bool { result == nil }

  /// Whether there is a result.
  public var isResolved: Bool { result != nil }

  /// Whether there is a value.
  public var isFulfilled: Bool { value != nil }

  /// Whether there is an error.
  public var isRejected: Bool { error != nil }

  /// The value, unless it is pending or rejected.
  public var value: T? { if case .fulfilled(let value)? = result { value } else { nil } }
}

// MARK: Steps

extension Thenable {
  /// A step with the value.
  func step<U>(
    _ context: PromiseContext, _ body: @escaping (T) throws -> StepResult<Kept<U>, any Error>
  ) -> Core<U> {
    let body = Kept(body)
    return _source.core.transformValue(on: context, token: nil) { value in
      do { return try body.value(value.value) } catch { return .error(error) }
    }
  }

  /// What a closure makes of the value.
  func mapped<U>(_ context: PromiseContext, _ transform: @escaping (T) throws -> U) -> Core<U> {
    step(context) { .value(Kept(try transform($0))) }
  }

  /// The result of what a closure makes of the value.
  func followed<U: Thenable>(_ context: PromiseContext, _ body: @escaping (T) throws -> U) -> Core<U.T> {
    let own = OwnStep()
    return own.found(step(context) { try own.follow(body($0)) })
  }

  /// A step with the result. A promise that can get no result any more does not count as having one.
  func observed(_ context: PromiseContext, _ body: @escaping (Result<T>) -> Void) -> Core<T> {
    let body = Kept(body)
    return _source.core.observeResult(on: context, token: nil) { Result($0).map(body.value) }
  }

  /// A step with the error. Under the default policy, a cancelled one passes without a turn of the context.
  func rescued(
    _ context: PromiseContext, _ policy: CatchPolicy,
    _ body: @escaping (any Error) throws -> StepResult<Kept<T>, any Error>
  ) -> Core<T> {
    let body = Kept(body)
    let run: @Sendable (any Error) -> StepResult<Kept<T>, any Error> = { error in
      do { return try body.value(error) } catch { return .error(error) }
    }
    if policy == .allErrors { return _source.core.transformError(on: context, token: nil, run) }
    return _source.core.transformError(on: .immediate, token: nil) { error in
      if error.isCancelled { return .error(error) }
      if context == .immediate { return run(error) }
      return .promise(Core<T>(rejected: error).transformError(on: context, token: nil, run))
    }
  }
}

/// The promise of a step, as far as its closure has to know it, which may not return it.
final class OwnStep: Sendable {
  private let address = Guarded<UInt>(0)

  func found<T>(_ core: Core<T>) -> Core<T> {
    let found = core.address
    address.withLock { $0 = found }
    return core
  }

  func follow<U: Thenable>(_ next: U) throws -> StepResult<Kept<U.T>, any Error> {
    let core = next._source.core
    if address.withLock({ $0 }) == core.address { throw PMKError.returnedSelf }
    return .promise(core)
  }
}
