import Overmorrow

// The throwing forms under their old names: the names of Overmorrow do without `try`.

extension Promise {
  /// A promise for what a closure makes of the error, or throws. See `Promise.mapError` of Overmorrow.
  public func tryMapError<E: Swift.Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) throws -> E
  ) -> Promise<Value, any Swift.Error> {
    let onError = Isolation.uncheckedThrowing(onError)
    return transformError(on: context, token: token) { input in
      do { return .error(try onError(input)) } catch { return .error(error) }
    }
  }

  /// A promise that adopts what a closure makes of the error, or for what it throws. See `Promise.flatMapError` of
  /// Overmorrow.
  public func tryFlatMapError<E: Swift.Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) throws -> Promise<Value, E>
  ) -> Promise<Value, any Swift.Error> {
    let onError = Isolation.uncheckedThrowing(onError)
    return transformError(on: context, token: token) { input in
      do { return .promise(try onError(input).widened) } catch { return .error(error) }
    }
  }

  /// A promise for what a closure makes of the result, or throws. See `Promise.mapResult` of Overmorrow.
  public func tryMapResult<T: Sendable, E: Swift.Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) throws -> PromiseResult<T, E>
  ) -> Promise<T, any Swift.Error> {
    let onComplete = Isolation.uncheckedThrowing(onComplete)
    return transformResult(on: context, token: token) { input in
      do { return .result(try onComplete(input).mapError { $0 }) } catch { return .error(error) }
    }
  }

  /// A promise that adopts what a closure makes of the result, or for what it throws. See `Promise.flatMapResult` of
  /// Overmorrow.
  public func tryFlatMapResult<T: Sendable, E: Swift.Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) throws -> Promise<T, E>
  ) -> Promise<T, any Swift.Error> {
    let onComplete = Isolation.uncheckedThrowing(onComplete)
    return transformResult(on: context, token: token) { input in
      do { return .promise(try onComplete(input).widened) } catch { return .error(error) }
    }
  }
}

extension Promise where Failure == any Swift.Error {
  /// Runs a closure with the value, which may throw. See `Promise.then` of Overmorrow.
  @discardableResult
  public func tryThen(
    on context: PromiseContext = .auto, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) throws -> Void
  ) -> Promise<Value, any Swift.Error> {
    let onSuccess = Isolation.uncheckedThrowing(onSuccess)
    return observeValue(on: context, token: token) { input in
      do { try onSuccess(input) } catch { return error }
      return nil
    }
  }

  /// A promise for what a closure makes of the value, or throws. See `Promise.map` of Overmorrow.
  public func tryMap<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) throws -> U
  ) -> Promise<U, any Swift.Error> {
    let onSuccess = Isolation.uncheckedThrowing(onSuccess)
    return transformValue(on: context, token: token) { input in
      do { return .value(try onSuccess(input)) } catch { return .error(error) }
    }
  }

  /// A promise that adopts what a closure makes of the value, or for what it throws. See `Promise.flatMap` of
  /// Overmorrow.
  public func tryFlatMap<U: Sendable, E: Swift.Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) throws -> Promise<U, E>
  ) -> Promise<U, any Swift.Error> {
    let onSuccess = Isolation.uncheckedThrowing(onSuccess)
    return transformValue(on: context, token: token) { input in
      do { return .promise(try onSuccess(input).widened) } catch { return .error(error) }
    }
  }

  /// A promise for the value offered instead of an error, or for what the closure throws. See `Promise.recover` of
  /// Overmorrow.
  public func tryRecover(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (any Swift.Error) throws -> Value
  ) -> Promise<Value, any Swift.Error> {
    let onError = Isolation.uncheckedThrowing(onError)
    return transformError(on: context, token: token) { input in
      do { return .value(try onError(input)) } catch { return .error(error) }
    }
  }
}

extension Promise where Failure: Swift.Error {
  /// This promise with any error; itself where it has that already, so that adopting it grows no chain.
  fileprivate var widened: Promise<Value, any Swift.Error> { self as? Promise<Value, any Swift.Error> ?? upcast }
}
