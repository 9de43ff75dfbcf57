// The functions have the names of the C header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import COvermorrow
internal import Overmorrow

// Implements the functions of `overmorrow/combining.h` under the same names.

/// Returns the promises in an array of handles.
private func promises(_ handles: UnsafePointer<OpaquePointer?>?, _ count: Int) -> [ForeignPromise] {
  // Unsafe: C1; the caller guarantees that the array has at least `count` elements.
  let handles = unsafe UnsafeBufferPointer(start: handles, count: handles == nil ? 0 : count)
  return unsafe handles.compactMap { unsafe $0.map { unsafe ForeignPromise(handle: $0) } }
}

/// See `ovm_when_fulfilled` in the C header.
@c @implementation
public func ovm_when_fulfilled(
  _ handles: UnsafePointer<OpaquePointer?>?, _ count: Int, _ cancelOnFailure: Bool, _ collector: ovm_collector,
  _ context: UnsafeMutableRawPointer?, _ release: ovm_release?
) -> OpaquePointer {
  // Unsafe: C1, C2, C3.
  let callback = unsafe Callback(collector, context, release)
  let all = unsafe when(fulfilled: promises(handles, count), cancelOnFailure: cancelOnFailure)
  return unsafe all.map(on: .immediate) { unsafe callback.collect($0) }.retainedHandle()
}

extension Callback<ovm_collector> {
  /// Creates one object from the values of all promises.
  fileprivate func collect(_ values: [ForeignObject]) -> ForeignObject {
    // Unsafe: C3, C5; the values stay alive during the call, and the object that the function returns is given away
    // (C4).
    withExtendedLifetime(values) {
      let pointers = unsafe values.map { unsafe $0.pointer }
      return unsafe ForeignObject(function(context, pointers, pointers.count))
    }
  }
}

/// See `ovm_when_first` in the C header.
@c @implementation
public func ovm_when_first(
  _ handles: UnsafePointer<OpaquePointer?>?, _ count: Int, _ cancelRemaining: Bool
) -> OpaquePointer {
  // Unsafe: C1, C2.
  unsafe when(first: promises(handles, count), cancelRemaining: cancelRemaining).retainedHandle()
}
