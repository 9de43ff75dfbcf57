internal import COvermorrow
public import Overmorrow

// The way of promises and tokens between Swift and the C interface.

extension Promise where Value == ForeignObject, Failure == ForeignObject {
  /// The promise behind a handle of the C interface.
  ///
  /// - Parameter handle: An `ovm_promise *`, to which the caller owns a reference during this call.
  public init(handle: OpaquePointer) {
    // Unsafe: C1, and every `ovm_promise *` is the address of a promise of this type.
    unsafe self.init(address: PromiseAddress(UnsafeMutableRawPointer(handle)))
  }

  /// This promise as a handle of the C interface.
  ///
  /// - Returns: An `ovm_promise *`, which the caller gives back by `ovm_promise_release`.
  public func retainedHandle() -> OpaquePointer {
    // Unsafe: this only makes an address of a reference.
    unsafe OpaquePointer(retainedAddress().pointer)
  }
}

extension Promise {
  /// This promise for another language.
  ///
  /// - Fulfils, fails, cancels: as this promise, without a hop. A request to cancel counts as one child's request.
  /// - Runs on: the closures run in the call that resolves this promise, or in this one.
  /// - Parameters:
  ///   - mapValue: Makes an object of the value.
  ///   - mapError: Makes an object of the error.
  public func foreign(
    mapValue: @escaping @Sendable (Value) -> ForeignObject, mapError: @escaping @Sendable (Failure) -> ForeignObject
  ) -> ForeignPromise {
    mapResult(on: .immediate) { $0.map(mapValue).mapError(mapError) }
  }

  /// A promise of another language for Swift.
  ///
  /// - Fulfils, fails, cancels: as the promise given, without a hop. A request to cancel counts as one child's request.
  /// - Runs on: the closures run in the call that resolves the promise given, or in this one.
  /// - Parameters:
  ///   - promise: What to follow.
  ///   - mapValue: Makes a value of the object.
  ///   - mapError: Makes an error of the object.
  public init(
    foreign promise: ForeignPromise, mapValue: @escaping @Sendable (ForeignObject) -> Value,
    mapError: @escaping @Sendable (ForeignObject) -> Failure
  ) {
    self = promise.flatMapResult(on: .immediate) { Promise(with: $0.map(mapValue).mapError(mapError)) }
  }
}

extension PromiseInvalidationToken {
  /// The token behind a handle of the C interface.
  ///
  /// - Parameter handle: An `ovm_token *`, to which the caller owns a reference during this call.
  public init(handle: OpaquePointer) {
    // Unsafe: C1.
    self = unsafe Box<PromiseInvalidationToken>.borrowed(handle).content
  }

  /// This token as a handle of the C interface.
  ///
  /// - Returns: An `ovm_token *`, which the caller gives back by `ovm_token_release`.
  public func retainedHandle() -> OpaquePointer {
    // Unsafe: this only makes an address of a reference.
    unsafe Box(self).retained()
  }
}
