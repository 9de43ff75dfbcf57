// The functions have the names of the C header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import COvermorrow
internal import Overmorrow

/// The content of an `ovm_work *`. The handle is the only reference to it; running or dropping the work consumes it.
private typealias Work = @Sendable () -> Void

/// See `ovm_work_run` in the C header.
@c @implementation
public func ovm_work_run(_ work: OpaquePointer) {
  // Unsafe: an executor calls one of these two functions, once.
  unsafe Box<Work>.consumed(work).content()
}

/// See `ovm_work_drop` in the C header.
@c @implementation
public func ovm_work_drop(_ work: OpaquePointer) {
  // Unsafe: an executor calls one of these two functions, once.
  _ = unsafe Box<Work>.consumed(work)
}

/// Runs work through a function of the caller.
@safe
final class ForeignExecutor: PromiseExecutor, @unchecked Sendable {
  // Sendable because the fields are constant and the functions may be called on any thread.
  private let functions: ovm_executor

  init(_ functions: ovm_executor) {
    // Unsafe: the functions are only stored.
    unsafe self.functions = functions
  }

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    // Unsafe: the context is released with this object (C3).
    unsafe functions.enqueue(functions.context, Box<Work>(work).retained())
  }

  deinit {
    // Unsafe: this is the last use of the context (C3).
    unsafe functions.release?(functions.context)
  }
}

/// Runs work through functions of the caller, which also receive work in advance.
@safe
final class ForeignReservingExecutor: PromiseReservingExecutor, @unchecked Sendable {
  // Sendable because the fields are constant and the functions may be called on any thread.
  fileprivate let functions: ovm_executor

  init(_ functions: ovm_executor) {
    // Unsafe: the functions are only stored.
    unsafe self.functions = functions
  }

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    // Unsafe: the context is released with this object (C3).
    unsafe functions.enqueue(functions.context, Box<Work>(work).retained())
  }

  func reserve(_ work: @escaping @Sendable () -> Void) -> any PromiseReservation {
    // Unsafe: as for `enqueue`. Such an executor is created only for functions that include `reserve`.
    let reservation = unsafe functions.reserve.unsafelyUnwrapped(functions.context, Box<Work>(work).retained())
    return unsafe ForeignReservation(reservation, self)
  }

  deinit {
    // Unsafe: this is the last use of the context (C3).
    unsafe functions.release?(functions.context)
  }
}

/// Work that such an executor has received in advance. Either of the two functions is called, once: see `ReservedSlot`.
@safe
private struct ForeignReservation: PromiseReservation, @unchecked Sendable {
  // Sendable because the fields are constant and the functions may be called on any thread.
  private let reservation: UnsafeMutableRawPointer
  private let executor: ForeignReservingExecutor

  init(_ reservation: UnsafeMutableRawPointer, _ executor: ForeignReservingExecutor) {
    // Unsafe: the address is only stored, to be passed to the functions.
    unsafe self.reservation = reservation
    self.executor = executor
  }

  // Unsafe, both: the executor, which is retained here, guarantees that its functions returned a valid reservation.
  func begin() { unsafe executor.functions.begin?(reservation) }
  func cancel() { unsafe executor.functions.cancel?(reservation) }
}
