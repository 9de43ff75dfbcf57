// The functions keep the names that they have in C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import COvermorrow
internal import Overmorrow

/// What is behind an `ovm_work *`: the handle stands for the one reference, which running or dropping it takes.
private typealias Work = @Sendable () -> Void

/// See `ovm_work_run` in the C header.
@c @implementation
public func ovm_work_run(_ work: OpaquePointer) {
  // Unsafe: an executor calls one of the two functions, once.
  unsafe Box<Work>.consumed(work).content()
}

/// See `ovm_work_drop` in the C header.
@c @implementation
public func ovm_work_drop(_ work: OpaquePointer) {
  // Unsafe: an executor calls one of the two functions, once.
  _ = unsafe Box<Work>.consumed(work)
}

/// Runs work by a function of the caller's.
@safe
final class ForeignExecutor: PromiseExecutor, @unchecked Sendable {
  // Sendable: the fields are constant, and the functions may be called from any thread.
  private let functions: ovm_executor

  init(_ functions: ovm_executor) {
    // Unsafe: the functions are only kept.
    unsafe self.functions = functions
  }

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    // Unsafe: the context is released with this object (C3).
    unsafe functions.enqueue(functions.context, Box<Work>(work).retained())
  }

  deinit {
    // Unsafe: the last use of the context (C3).
    unsafe functions.release?(functions.context)
  }
}

/// Runs work by functions of the caller's, which also take work before its time.
@safe
final class ForeignReservingExecutor: PromiseReservingExecutor, @unchecked Sendable {
  // Sendable: the fields are constant, and the functions may be called from any thread.
  fileprivate let functions: ovm_executor

  init(_ functions: ovm_executor) {
    // Unsafe: the functions are only kept.
    unsafe self.functions = functions
  }

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    // Unsafe: the context is released with this object (C3).
    unsafe functions.enqueue(functions.context, Box<Work>(work).retained())
  }

  func reserve(_ work: @escaping @Sendable () -> Void) -> any PromiseReservation {
    // Unsafe: as for `enqueue`; such an executor is made only of functions that have `reserve`.
    let reservation = unsafe functions.reserve.unsafelyUnwrapped(functions.context, Box<Work>(work).retained())
    return unsafe ForeignReservation(reservation, self)
  }

  deinit {
    // Unsafe: the last use of the context (C3).
    unsafe functions.release?(functions.context)
  }
}

/// Work that such an executor has taken. One of the two functions is called, once: see `ReservedSlot`.
@safe
private struct ForeignReservation: PromiseReservation, @unchecked Sendable {
  // Sendable: the fields are constant, and the functions may be called from any thread.
  private let reservation: UnsafeMutableRawPointer
  private let executor: ForeignReservingExecutor

  init(_ reservation: UnsafeMutableRawPointer, _ executor: ForeignReservingExecutor) {
    // Unsafe: the address is only kept, for the functions.
    unsafe self.reservation = reservation
    self.executor = executor
  }

  // Unsafe, both: the executor, which is kept here, vouches for what its functions have returned.
  func begin() { unsafe executor.functions.begin?(reservation) }
  func cancel() { unsafe executor.functions.cancel?(reservation) }
}
