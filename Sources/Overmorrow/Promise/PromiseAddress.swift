/// A reference to a promise or a resolver as one machine word, for languages without generics.
///
/// The owner of a reference releases it once, by ``release()``. An address does not contain the types of the value and
/// the failure. So code that gives addresses out uses one promise type for all addresses.
///
/// Bindings to other languages use it. See <doc:WritingAnAdapter>.
@safe
public struct PromiseAddress {
  // The rules C1 and C2 are in the header of the binding to C, `overmorrow.h`. Code of any language must follow them.

  /// The address itself.
  public let pointer: UnsafeMutableRawPointer

  /// Creates a reference from an address that was read from ``pointer``.
  @inlinable
  public init(_ pointer: UnsafeMutableRawPointer) {
    // Unsafe: this only stores the address. While the address is used, the caller owns a reference (C1).
    unsafe self.pointer = pointer
  }

  @inlinable
  init(retaining object: AnyObject) {
    // Unsafe: this only turns a reference into an address. The new reference belongs to the caller (C2).
    unsafe pointer = Unmanaged.passRetained(object).toOpaque()
  }

  /// Adds a reference to the object at the address.
  public func retain() {
    // Unsafe: the caller owns a reference during the call (C1), so the object exists.
    _ = unsafe Unmanaged<AnyObject>.fromOpaque(pointer).retain()
  }

  /// Releases a reference.
  public func release() {
    // Unsafe: the caller owns the reference, and releases it once (C2).
    unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
  }

  @inlinable
  func object<Object: AnyObject>() -> Object {
    // Unsafe: the caller owns a reference during the call (C1), and the object is of this type.
    unsafe Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
  }
}
