/// A reference to a promise or a resolver as one machine word, for languages without generics.
///
/// Its owner gives the reference back once, by ``release()``. The types of the value and of the failure do not travel with it:
/// code that hands addresses out uses one promise type for all of them.
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
    // Unsafe: this only makes an address of a reference.
    unsafe pointer = Unmanaged.passRetained(object).toOpaque()
  }

  /// Makes one more reference to what is at the address.
  package func retain() {
    // Unsafe: the caller owns a reference, so the object is there.
    _ = unsafe Unmanaged<AnyObject>.fromOpaque(pointer).retain()
  }

  /// Gives a reference back.
  package func release() {
    // Unsafe: the caller owns the reference, and uses the address no more.
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

  /// One more reference to this handle; the caller owns it.
  @usableFromInline
  func retainedAddress() -> PromiseAddress { PromiseAddress(retaining: object) }
}

extension Producer {
  /// The producer at an address, to which the caller owns a reference.
  @inlinable
  static func at(_ address: PromiseAddress) -> Producer { address.object() }

  /// One more reference to this producer; the caller owns it.
  @inlinable
  final func retainedAddress() -> PromiseAddress { PromiseAddress(retaining: self) }
}
