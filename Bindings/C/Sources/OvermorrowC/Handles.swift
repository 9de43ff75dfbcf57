internal import COvermorrow
@_spi(Handles) public import Overmorrow

// Conversions of promises and tokens between Swift and the C interface.

extension Promise where Value == ForeignObject, Failure == ForeignObject {
  /// Creates the promise that a handle of the C interface refers to.
  ///
  /// - Parameter handle: An `ovm_promise *`, to which the caller owns a reference during this call.
  public init(handle: OpaquePointer) {
    // Unsafe: C1, and every `ovm_promise *` is the address of a promise of this type.
    unsafe self.init(address: PromiseAddress(UnsafeMutableRawPointer(handle)))
  }

  /// Returns a handle of the C interface for this promise.
  ///
  /// - Returns: An `ovm_promise *`, which the caller must release with `ovm_promise_release`.
  public func retainedHandle() -> OpaquePointer {
    // Unsafe: this only converts a reference into an address, and accesses no memory.
    unsafe OpaquePointer(retainedAddress().pointer)
  }
}

extension Promise {
  /// Returns a promise that follows this promise, for use by another language.
  ///
  /// - Fulfils, fails, cancels: as this promise, without a submission to a context. A request to cancel withdraws one
  ///   vote on this promise.
  /// - Runs on: the closures run inside the call that resolves this promise, or inside this call if it is already
  ///   resolved.
  /// - Parameters:
  ///   - mapValue: A closure that converts the value to an object.
  ///   - mapError: A closure that converts the error to an object.
  public func foreign(
    mapValue: @escaping @Sendable (Value) -> ForeignObject, mapError: @escaping @Sendable (Failure) -> ForeignObject
  ) -> ForeignPromise {
    mapResult(on: .immediate) { $0.map(mapValue).mapError(mapError) }
  }

  /// Creates a promise that follows a promise of another language.
  ///
  /// - Fulfils, fails, cancels: as `promise`, without a submission to a context. A request to cancel withdraws one
  ///   vote on `promise`.
  /// - Runs on: the closures run inside the call that resolves `promise`, or inside this call if `promise` is
  ///   already resolved.
  /// - Parameters:
  ///   - promise: The promise to follow.
  ///   - mapValue: A closure that converts an object to the value.
  ///   - mapError: A closure that converts an object to the error.
  public init(
    foreign promise: ForeignPromise, mapValue: @escaping @Sendable (ForeignObject) -> Value,
    mapError: @escaping @Sendable (ForeignObject) -> Failure
  ) {
    self = promise.flatMapResult(on: .immediate) { Promise(with: $0.map(mapValue).mapError(mapError)) }
  }
}

extension PromiseInvalidationToken {
  /// Creates the token that a handle of the C interface refers to.
  ///
  /// - Parameter handle: An `ovm_token *`, to which the caller owns a reference during this call.
  public init(handle: OpaquePointer) {
    // Unsafe: C1.
    self = unsafe Box<PromiseInvalidationToken>.borrowed(handle).content
  }

  /// Returns a handle of the C interface for this token.
  ///
  /// - Returns: An `ovm_token *`, which the caller must release with `ovm_token_release`.
  public func retainedHandle() -> OpaquePointer {
    // Unsafe: this only converts a reference into an address, and accesses no memory.
    unsafe Box(self).retained()
  }
}
