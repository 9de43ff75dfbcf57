public import Overmorrow

/// The promise of Overmorrow behind a thenable.
public struct _Source<T>: Sendable {
  @usableFromInline let core: Core<T>

  @inlinable init(core: Core<T>) { self.core = core }
}

@usableFromInline typealias Core<T> = Overmorrow.Promise<Kept<T>, any Error>
@usableFromInline typealias Outcome<T> = PromiseResult<Kept<T>, any Error>
@usableFromInline typealias Step<T> = PromiseStepResult<Kept<T>, any Error>

/// A container that carries a value or a closure from one thread to another. The content need not be `Sendable`,
/// because code for the original library does not declare `Sendable`.
@usableFromInline struct Kept<Value>: @unchecked Sendable {
  // Sendable because promises pass it from one thread to the next and never share it.
  @usableFromInline let value: Value

  @inlinable init(_ value: Value) { self.value = value }
}

extension _Source {
  @inlinable init(_ value: T) { core = Core<T>(fulfilled: Kept(value)) }

  @inlinable init(error: any Error) { core = Core<T>(rejected: error) }

  /// Returns a pending source and its resolver.
  @inlinable static func pending() -> (_Source, Core<T>.Resolver) {
    let (core, resolver) = PromiseAdapter.makePromise(of: Kept<T>.self, failure: (any Error).self)
    return (_Source(core: core), resolver)
  }

  @inlinable var result: Result<T>? { core.result.flatMap { Result($0) } }

  /// Blocks the calling thread until there is a result. Then returns the value or throws the error.
  @inlinable func wait() throws -> T { try core.waitForResult().unboxed() }

  /// Calls a closure with the result. The closure is not called if the promise can never have a result.
  @inlinable func pipe(_ to: @escaping (Result<T>) -> Void) {
    let to = Kept(to)
    _ = core.tap(on: .immediate) { Result($0).map(to.value) }
  }

  /// Returns a source whose value is the result of this source.
  @inlinable func settled() -> _Source<Result<T>> {
    _Source<Result<T>>(
      core: PromiseAdapter.transformResult(core, on: .immediate, token: nil) { outcome in
        Result<T>(outcome).map { Step<Result<T>>.value(Kept($0)) } ?? .result(.cancelled)
      })
  }

  /// Transforms the value with a closure.
  @inlinable func map<U>(_ context: PromiseContext, _ transform: @escaping (T) throws -> U) -> _Source<U> {
    _Source<U>(
      core: PromiseAdapter.transformValue(core, on: context) { _ in
        { value in
          do { return .value(Kept(try transform(value.value))) } catch { return .error(error) }
        }
      })
  }

  /// Continues with the thenable that a closure returns for the value.
  @inlinable func then<U: Thenable>(_ context: PromiseContext, _ body: @escaping (T) throws -> U) -> _Source<U.T> {
    _Source<U.T>(
      core: PromiseAdapter.transformValue(core, on: context) { own in
        { value in
          do { return try .following(body(value.value), unlessAt: own) } catch { return .error(error) }
        }
      })
  }

  /// Transforms the value with a closure. If the closure returns `nil`, the source returned is rejected with
  /// `PMKError.compactMap`.
  @inlinable func compactMap<U>(_ context: PromiseContext, _ transform: @escaping (T) throws -> U?) -> _Source<U> {
    map(context) { value in
      guard let made = try transform(value) else { throw PMKError.compactMap(value, U.self) }
      return made
    }
  }

  /// Runs a closure with the value, and passes the value on.
  @inlinable func get(_ context: PromiseContext, _ body: @escaping (T) throws -> Void) -> _Source {
    map(context) { value in
      try body(value)
      return value
    }
  }

  /// Runs a closure with the result, and passes the result on.
  @inlinable func tap(_ context: PromiseContext, _ body: @escaping (Result<T>) -> Void) -> _Source {
    let body = Kept(body)
    return _Source(
      core: PromiseAdapter.transformResult(core, on: context, token: nil) { outcome in
        Result(outcome).map(body.value)
        return .result(outcome)
      })
  }
}

extension PromiseStepResult {
  /// Returns a step result that follows a thenable. Throws `PMKError.returnedSelf` if `address`, the address of the
  /// step's own promise, is also the address of the thenable's promise.
  @inlinable static func following<U: Thenable>(_ next: U, unlessAt address: UInt) throws -> Step<U.T>
  where Self == Step<U.T> {
    let core = next._source.core
    if PromiseAdapter.address(of: core) == address { throw PMKError.returnedSelf }
    return .promise(core)
  }
}
