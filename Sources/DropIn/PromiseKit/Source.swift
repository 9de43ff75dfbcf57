public import Overmorrow

/// The promise behind a thenable.
public struct _Source<T>: Sendable {
  @usableFromInline let core: Core<T>

  @inlinable init(core: Core<T>) { self.core = core }
}

@usableFromInline typealias Core<T> = Overmorrow.Promise<Kept<T>, any Error>
@usableFromInline typealias Outcome<T> = PromiseResult<Kept<T>, any Error>
@usableFromInline typealias Step<T> = StepResult<Kept<T>, any Error>

/// A value, or a closure, on its way from thread to thread, as in the code that this module is for.
@usableFromInline struct Kept<Value>: @unchecked Sendable {
  // Sendable: handed on by the promises, and never shared by them.
  @usableFromInline let value: Value

  @inlinable init(_ value: Value) { self.value = value }
}

extension _Source {
  @inlinable init(_ value: T) { core = Core<T>(fulfilled: Kept(value)) }

  @inlinable init(error: any Error) { core = Core<T>(rejected: error) }

  /// A pending one, and what resolves it.
  @inlinable static func pending() -> (_Source, Core<T>.Resolver) {
    let (core, resolver) = Core<T>.makeForLibrary()
    return (_Source(core: core), resolver)
  }

  @inlinable var result: Result<T>? { core.result.flatMap { Result($0) } }

  /// The value, for which the calling thread is blocked.
  @inlinable func wait() throws -> T { try core.waitForResult().unboxed() }

  /// Calls a closure with the result. A promise that can get no result any more does not count as having one.
  @inlinable func pipe(_ to: @escaping (Result<T>) -> Void) {
    let to = Kept(to)
    _ = core.reportResult(on: .immediate, token: nil) { Result($0).map(to.value) }
  }

  /// The result as a value.
  @inlinable func settled() -> _Source<Result<T>> {
    _Source<Result<T>>(
      core: core.transformResult(on: .immediate, token: nil) { outcome in
        Result<T>(outcome).map { Step<Result<T>>.value(Kept($0)) } ?? .result(.cancelled)
      })
  }

  /// What a closure makes of the value.
  @inlinable func map<U>(_ context: PromiseContext, _ transform: @escaping (T) throws -> U) -> _Source<U> {
    _Source<U>(
      core: core.transformValue(on: context) { _ in
        { value in
          do { return .value(Kept(try transform(value.value))) } catch { return .error(error) }
        }
      })
  }

  /// The result of what a closure makes of the value.
  @inlinable func then<U: Thenable>(_ context: PromiseContext, _ body: @escaping (T) throws -> U) -> _Source<U.T> {
    _Source<U.T>(
      core: core.transformValue(on: context) { own in
        { value in
          do { return try .following(body(value.value), unlessAt: own) } catch { return .error(error) }
        }
      })
  }

  /// What a closure makes of the value; rejected if that is `nil`.
  @inlinable func compactMap<U>(_ context: PromiseContext, _ transform: @escaping (T) throws -> U?) -> _Source<U> {
    map(context) { value in
      guard let made = try transform(value) else { throw PMKError.compactMap(value, U.self) }
      return made
    }
  }

  /// Runs a closure with the value, which is passed on.
  @inlinable func get(_ context: PromiseContext, _ body: @escaping (T) throws -> Void) -> _Source {
    map(context) { value in
      try body(value)
      return value
    }
  }

  /// Runs a closure with the result, which is passed on.
  @inlinable func tap(_ context: PromiseContext, _ body: @escaping (Result<T>) -> Void) -> _Source {
    let body = Kept(body)
    return _Source(core: core.observeResult(on: context, token: nil) { Result($0).map(body.value) })
  }
}

extension StepResult {
  /// The result of a thenable; an error if that is the very promise of the step, which has this address.
  @inlinable static func following<U: Thenable>(_ next: U, unlessAt address: UInt) throws -> Step<U.T>
  where Self == Step<U.T> {
    let core = next._source.core
    if core.address == address { throw PMKError.returnedSelf }
    return .promise(core)
  }
}
