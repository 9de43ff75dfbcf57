/// A reference to a promise or a resolver as one machine word, for languages without generics.
///
/// Its owner releases the reference once, by ``release()``. An address does not carry the types of the value and the
/// failure: code that gives addresses out uses one promise type for all of them.
@safe
@usableFromInline
package struct PromiseAddress {
  /// The address itself.
  @usableFromInline
  package let pointer: UnsafeMutableRawPointer

  /// The reference at an address that came from ``pointer``.
  @inlinable
  package init(_ pointer: UnsafeMutableRawPointer) { unsafe self.pointer = pointer }

  @inlinable
  init(retaining object: AnyObject) {
    // Unsafe: this only turns a reference into an address.
    unsafe pointer = Unmanaged.passRetained(object).toOpaque()
  }

  /// Adds a reference to the object at the address.
  package func retain() {
    // Unsafe: the caller owns a reference, so the object exists.
    _ = unsafe Unmanaged<AnyObject>.fromOpaque(pointer).retain()
  }

  /// Releases a reference.
  package func release() {
    // Unsafe: the caller owns the reference, and does not use the address again.
    unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
  }

  @inlinable
  func object<Object: AnyObject>() -> Object {
    // Unsafe: the caller owns a reference to an object of this type.
    unsafe Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
  }
}

extension PromiseHandle {
  /// The handle at an address, to which the caller owns a reference.
  @usableFromInline
  init(address: PromiseAddress) { self.init(address.object()) }

  /// A new reference to this handle, owned by the caller.
  @usableFromInline
  func retainedAddress() -> PromiseAddress { PromiseAddress(retaining: object) }
}

extension Producer {
  /// The producer at an address, to which the caller owns a reference.
  @inlinable
  static func at(_ address: PromiseAddress) -> Producer { address.object() }

  /// A new reference to this producer, owned by the caller.
  @inlinable
  final func retainedAddress() -> PromiseAddress { PromiseAddress(retaining: self) }
}
