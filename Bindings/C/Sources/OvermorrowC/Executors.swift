// The functions have the names of the C header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import COvermorrow
@_spi(Handles) internal import Overmorrow

/// The content of an `ovm_work *`. The handle owns the only reference to the content. Running or dropping the work
/// consumes the handle.
private typealias Work = @Sendable () -> Void

/// See `ovm_work_run` in the C header.
@c @implementation
public func ovm_work_run(_ work: OpaquePointer) {
  // Unsafe: an executor calls either `ovm_work_run` or `ovm_work_drop`, once.
  unsafe Box<Work>.consumed(work).content()
}

/// See `ovm_work_drop` in the C header.
@c @implementation
public func ovm_work_drop(_ work: OpaquePointer) {
  // Unsafe: an executor calls either `ovm_work_run` or `ovm_work_drop`, once.
  _ = unsafe Box<Work>.consumed(work)
}

/// An executor that passes work to a C function.
@safe
final class ForeignExecutor: PromiseExecutor, @unchecked Sendable {
  // Sendable because the fields are constant and the functions may be called on any thread.
  private let functions: ovm_executor

  init(_ functions: ovm_executor) {
    // Unsafe: no memory is accessed and no function is called, because the functions are only stored.
    unsafe self.functions = functions
  }

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    // Unsafe: the context is valid, because it is released only when this object is deallocated (C3).
    unsafe functions.enqueue(functions.context, Box<Work>(work).retained())
  }

  deinit {
    // Unsafe: the context is released once, because no code uses the context after this call (C3).
    unsafe functions.release?(functions.context)
  }
}

/// An executor that passes work to C functions, and can also pass work in advance.
@safe
final class ForeignReservingExecutor: PromiseReservingExecutor, @unchecked Sendable {
  // Sendable because the fields are constant and the functions may be called on any thread.
  fileprivate let functions: ovm_executor

  init(_ functions: ovm_executor) {
    // Unsafe: no memory is accessed and no function is called, because the functions are only stored.
    unsafe self.functions = functions
  }

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    // Unsafe: the context is valid, because it is released only when this object is deallocated (C3).
    unsafe functions.enqueue(functions.context, Box<Work>(work).retained())
  }

  func reserve(_ work: @escaping @Sendable () -> Void) -> any PromiseReservation {
    // Unsafe: C3; an executor of this class is created only for functions that include `reserve`.
    let reservation = unsafe functions.reserve.unsafelyUnwrapped(functions.context, Box<Work>(work).retained())
    return unsafe ForeignReservation(reservation, self)
  }

  deinit {
    // Unsafe: the context is released once, because no code uses the context after this call (C3).
    unsafe functions.release?(functions.context)
  }
}

/// Work that a `ForeignReservingExecutor` has received in advance. The library calls either `begin` or `cancel`, once.
@safe
private struct ForeignReservation: PromiseReservation, @unchecked Sendable {
  // Sendable because the fields are constant and the functions may be called on any thread.
  private let reservation: UnsafeMutableRawPointer
  private let executor: ForeignReservingExecutor

  init(_ reservation: UnsafeMutableRawPointer, _ executor: ForeignReservingExecutor) {
    // Unsafe: no memory is accessed, because the address is only stored until it is passed to a function.
    unsafe self.reservation = reservation
    self.executor = executor
  }

  // Unsafe, both functions: the executor, which this structure retains, has returned the reservation.
  func begin() { unsafe executor.functions.begin?(reservation) }
  func cancel() { unsafe executor.functions.cancel?(reservation) }
}
