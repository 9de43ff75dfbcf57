internal import Overmorrow

/// The object behind the handle of a context, a token, a canceller, a delayed promise, or work.
///
/// The rules C1 to C6 that this module cites are in the header, `overmorrow.h`. The caller of a function must follow
/// these rules. Therefore the use of the function's arguments is sound.
final class Box<Content: Sendable>: Sendable {
  let content: Content

  init(_ content: Content) { self.content = content }

  /// Returns a new reference to this box. The caller owns the reference (C2).
  func retained() -> OpaquePointer {
    // Unsafe: this only converts a reference into an address, and accesses no memory.
    unsafe OpaquePointer(Unmanaged.passRetained(self).toOpaque())
  }

  /// Returns the box that an argument refers to (C1).
  static func borrowed(_ handle: OpaquePointer) -> Box {
    // Unsafe: the caller owns a reference, and the header has a separate handle type for each kind of content.
    unsafe Unmanaged<Box>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
  }

  /// Returns the box that an argument refers to, and takes over the caller's reference to the box.
  static func consumed(_ handle: OpaquePointer) -> Box {
    // Unsafe: the caller gives up the reference that it owns.
    unsafe Unmanaged<Box>.fromOpaque(UnsafeRawPointer(handle)).takeRetainedValue()
  }
}

/// Retains any handle.
func retain(_ handle: OpaquePointer) -> OpaquePointer {
  // Unsafe: C1; every handle is the address of a Swift object.
  unsafe PromiseAddress(UnsafeMutableRawPointer(handle)).retain()
  return unsafe handle
}

/// Releases any handle.
func release(_ handle: OpaquePointer) {
  // Unsafe: C2; every handle is the address of a Swift object.
  unsafe PromiseAddress(UnsafeMutableRawPointer(handle)).release()
}
