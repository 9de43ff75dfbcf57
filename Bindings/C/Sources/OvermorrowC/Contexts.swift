// The functions have the names of the C header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import COvermorrow
internal import Overmorrow

// Implements the functions of `overmorrow/contexts.h` under the same names.

extension PromiseContext {
  /// Creates a copy of the context that an argument refers to (C1).
  init(borrowed handle: OpaquePointer) {
    // Unsafe: C1.
    self = unsafe Box<PromiseContext>.borrowed(handle).content
  }

  /// Returns a new handle (C2).
  fileprivate func retainedHandle() -> OpaquePointer {
    // Unsafe: this only converts a reference into an address, and accesses no memory.
    unsafe Box(self).retained()
  }

  fileprivate init(_ place: ovm_place) {
    switch place {
    case OVM_MAIN: self = .main
    case OVM_BACKGROUND: self = .background
    case OVM_UTILITY: self = .utility
    case OVM_USER_INITIATED: self = .userInitiated
    case OVM_USER_INTERACTIVE: self = .userInteractive
    case OVM_IMMEDIATE: self = .immediate
    case OVM_AUTO: self = .auto
    default: self = .default
    }
  }
}

/// See `ovm_context_create` in the C header.
@c @implementation
public func ovm_context_create(_ place: ovm_place) -> OpaquePointer {
  // Unsafe: C2.
  unsafe PromiseContext(place).retainedHandle()
}

/// See `ovm_context_create_now_or` in the C header.
@c @implementation
public func ovm_context_create_now_or(_ context: OpaquePointer) -> OpaquePointer {
  // Unsafe: C1, C2.
  unsafe PromiseContext.nowOr(PromiseContext(borrowed: context)).retainedHandle()
}

/// See `ovm_context_create_executor` in the C header.
@c @implementation
public func ovm_context_create_executor(_ executor: UnsafePointer<ovm_executor>) -> OpaquePointer {
  // Unsafe: C1 for the structure, which is copied; C2.
  let functions = unsafe executor.pointee
  let made: any PromiseExecutor =
    if unsafe functions.reserve == nil { unsafe ForeignExecutor(functions) } else {
      unsafe ForeignReservingExecutor(functions)
    }
  return unsafe PromiseContext.executor(made).retainedHandle()
}

/// See `ovm_context_retain` in the C header.
@c @implementation
public func ovm_context_retain(_ context: OpaquePointer) -> OpaquePointer {
  // Unsafe: C1, C2.
  unsafe retain(context)
}

/// See `ovm_context_release` in the C header.
@c @implementation
public func ovm_context_release(_ context: OpaquePointer) {
  // Unsafe: C2.
  unsafe release(context)
}

/// See `ovm_is_executing_now` in the C header.
@c @implementation
public func ovm_is_executing_now() -> Bool { PromiseContext.isExecutingNow }
