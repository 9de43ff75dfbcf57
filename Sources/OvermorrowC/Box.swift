internal import Overmorrow

/// The object behind a handle that is not a promise or a resolver.
///
/// The rules cited in this module as C1 to C6 are in the header, `overmorrow.h`: the caller of a function keeps them,
/// which makes the use of its arguments sound.
final class Box<Content: Sendable>: Sendable {
  let content: Content

  init(_ content: Content) { self.content = content }

  /// One more reference; the caller owns it (C2).
  func retained() -> OpaquePointer {
    // Unsafe: this only makes an address of a reference.
    unsafe OpaquePointer(Unmanaged.passRetained(self).toOpaque())
  }

  /// What an argument refers to (C1).
  static func borrowed(_ handle: OpaquePointer) -> Box {
    // Unsafe: the caller owns a reference, and the header gives each kind of content a type of its own.
    unsafe Unmanaged<Box>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
  }

  /// What an argument refers to, whose reference is given up by it.
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
