import Overmorrow

// The throwing operators under their names in Tomorrowland. The names of Overmorrow do not contain `try`.

extension Promise {
  /// Transforms the error with a closure that may throw. See `Promise.mapError` of Overmorrow.
  public func tryMapError<E: Swift.Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) throws -> E
  ) -> Promise<Value, any Swift.Error> {
    let onError = PromiseAdapter.plain(onError)
    return PromiseAdapter.transformError(self, on: context, token: token) { input in
      do { return .error(try onError(input)) } catch { return .error(error) }
    }
  }

  /// Continues after an error with the promise that a closure returns. The closure may throw. See
  /// `Promise.flatMapError` of Overmorrow.
  public func tryFlatMapError<E: Swift.Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) throws -> Promise<Value, E>
  ) -> Promise<Value, any Swift.Error> {
    let onError = PromiseAdapter.plain(onError)
    return PromiseAdapter.transformError(self, on: context, token: token) { input in
      do { return .promise(try onError(input).widened) } catch { return .error(error) }
    }
  }

  /// Transforms the result with a closure that may throw. See `Promise.mapResult` of Overmorrow.
  public func tryMapResult<T: Sendable, E: Swift.Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) throws -> PromiseResult<T, E>
  ) -> Promise<T, any Swift.Error> {
    let onComplete = PromiseAdapter.plain(onComplete)
    return PromiseAdapter.transformResult(self, on: context, token: token) { input in
      do { return .result(try onComplete(input).mapError { $0 }) } catch { return .error(error) }
    }
  }

  /// Continues with the promise that a closure returns for the result. The closure may throw. See
  /// `Promise.flatMapResult` of Overmorrow.
  public func tryFlatMapResult<T: Sendable, E: Swift.Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) throws -> Promise<T, E>
  ) -> Promise<T, any Swift.Error> {
    let onComplete = PromiseAdapter.plain(onComplete)
    return PromiseAdapter.transformResult(self, on: context, token: token) { input in
      do { return .promise(try onComplete(input).widened) } catch { return .error(error) }
    }
  }
}

extension Promise where Failure == any Swift.Error {
  /// Runs a closure with the value. The closure may throw. See `Promise.then` of Overmorrow.
  @discardableResult
  public func tryThen(
    on context: PromiseContext = .auto, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) throws -> Void
  ) -> Promise<Value, any Swift.Error> {
    let onSuccess = PromiseAdapter.plain(onSuccess)
    return PromiseAdapter.observeValue(self, on: context, token: token) { input in
      do { try onSuccess(input) } catch { return error }
      return nil
    }
  }

  /// Transforms the value with a closure that may throw. See `Promise.map` of Overmorrow.
  public func tryMap<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) throws -> U
  ) -> Promise<U, any Swift.Error> {
    let onSuccess = PromiseAdapter.plain(onSuccess)
    return PromiseAdapter.transformValue(self, on: context, token: token) { input in
      do { return .value(try onSuccess(input)) } catch { return .error(error) }
    }
  }

  /// Continues with the promise that a closure returns for the value. The closure may throw. See `Promise.flatMap` of
  /// Overmorrow.
  public func tryFlatMap<U: Sendable, E: Swift.Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) throws -> Promise<U, E>
  ) -> Promise<U, any Swift.Error> {
    let onSuccess = PromiseAdapter.plain(onSuccess)
    return PromiseAdapter.transformValue(self, on: context, token: token) { input in
      do { return .promise(try onSuccess(input).widened) } catch { return .error(error) }
    }
  }

  /// Replaces an error by the value that a closure returns. The closure may throw. See `Promise.recover` of
  /// Overmorrow.
  public func tryRecover(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (any Swift.Error) throws -> Value
  ) -> Promise<Value, any Swift.Error> {
    let onError = PromiseAdapter.plain(onError)
    return PromiseAdapter.transformError(self, on: context, token: token) { input in
      do { return .value(try onError(input)) } catch { return .error(error) }
    }
  }
}

extension Promise where Failure: Swift.Error {
  /// This promise with the failure type `any Error`. If this promise already has that failure type, the property
  /// returns this promise itself. In that case, a promise that adopts the returned promise waits for this promise
  /// directly.
  fileprivate var widened: Promise<Value, any Swift.Error> { self as? Promise<Value, any Swift.Error> ?? upcast }
}
