internal import COvermorrow
internal import Overmorrow

/// A C function and its context. The context is released when this object is deallocated (C3).
///
/// A closure that captures only this object needs no memory of its own.
@safe
final class Callback<Function>: @unchecked Sendable {
  // Sendable because all fields are constant, and the rules of the header allow any thread to call the function
  // and to release the context (C3).
  let function: Function
  let context: UnsafeMutableRawPointer?
  private let release: ovm_release?

  init(_ function: Function, _ context: UnsafeMutableRawPointer?, _ release: ovm_release?) {
    self.function = function
    // Unsafe: no memory is accessed, because the address is only stored until it is passed to the function.
    unsafe self.context = context
    unsafe self.release = release
  }

  deinit {
    // Unsafe: the context is released once, because no code uses the context after this call (C3).
    unsafe release?(context)
  }
}

extension Callback<ovm_observer> {
  /// Calls an observer with a result.
  func observe(_ result: PromiseResult<ForeignObject, ForeignObject>) {
    // Unsafe: C3, C5; the caller holds the result, which keeps the object alive during the call.
    withExtendedLifetime(result) { unsafe function(context, result.outcome, result.pointer) }
  }
}

extension Callback<ovm_transform> {
  /// Computes an object from an object.
  func transform(_ input: ForeignObject) throws(ForeignObject) -> ForeignObject {
    // Unsafe, in the rest of this function: C3, C5; the object that the function assigns to `output` is given away
    // (C4).
    var output = unsafe ovm_object(pointer: nil, release: nil)
    let isValue = withExtendedLifetime(input) { unsafe function(context, input.pointer, &output) }
    let object = unsafe ForeignObject(output)
    if !isValue { throw object }
    return object
  }
}

extension Callback<ovm_adopter> {
  /// Computes a promise from a result.
  func adopt(_ result: PromiseResult<ForeignObject, ForeignObject>) -> ForeignPromise {
    // Unsafe: C3, C5; this method owns the handle that the function returns (C2).
    withExtendedLifetime(result) {
      guard let handle = unsafe function(context, result.outcome, result.pointer) else {
        return ForeignPromise(with: .cancelled)
      }
      defer { unsafe ovm_promise_release(handle) }
      return unsafe ForeignPromise(handle: handle)
    }
  }
}
