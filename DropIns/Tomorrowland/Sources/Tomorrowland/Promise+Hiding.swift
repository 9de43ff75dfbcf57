import Overmorrow

// This module re-exports Overmorrow. A declaration of this module therefore hides the declaration of Overmorrow with
// the same signature. The declarations in this file hide the throwing operators of Overmorrow. If those were not
// hidden, the compiler would prefer them to the operators whose closures inherit the actor of the caller. The
// declarations in this file are disfavoured, so that the compiler chooses them only for a closure that throws.

extension Promise {
  /// Hides `recover` of Overmorrow.
  @_disfavoredOverload
  public func recover<E: Swift.Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onError: @escaping @Sendable (Failure) throws(E) -> Value
  ) -> Promise<Value, E> {
    PromiseAdapter.transformError(self, on: context, token: token) { input in
      do throws(E) { return .value(try onError(input)) } catch { return .error(error) }
    }
  }
}

extension Promise where Failure: Swift.Error {
  /// Hides `then` of Overmorrow.
  @discardableResult
  @_disfavoredOverload
  public func then(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onSuccess: @escaping @Sendable (Value) throws(Failure) -> Void
  ) -> Promise<Value, Failure> {
    PromiseAdapter.observeValue(self, on: context, token: token) { input in
      do throws(Failure) { try onSuccess(input) } catch { return error }
      return nil
    }
  }

  /// Hides `map` of Overmorrow.
  @_disfavoredOverload
  public func map<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onSuccess: @escaping @Sendable (Value) throws(Failure) -> U
  ) -> Promise<U, Failure> {
    PromiseAdapter.transformValue(self, on: context, token: token) { input in
      do throws(Failure) { return .value(try onSuccess(input)) } catch { return .error(error) }
    }
  }

  /// Hides `flatMap` of Overmorrow.
  @_disfavoredOverload
  public func flatMap<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onSuccess: @escaping @Sendable (Value) throws(Failure) -> Promise<U, Failure>
  ) -> Promise<U, Failure> {
    PromiseAdapter.transformValue(self, on: context, token: token) { input in
      do throws(Failure) { return .promise(try onSuccess(input)) } catch { return .error(error) }
    }
  }
}
