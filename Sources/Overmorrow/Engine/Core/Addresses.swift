/// A promise and a resolver as one machine word each, for languages without generics.
///
/// An address stands for a reference that its owner gives back once, by ``release(_:)``. The types of the value and of
/// the failure do not travel with it: whoever hands addresses out uses one promise type for all of them.
package enum PromiseAddress {
  /// Makes one more reference to what is at an address.
  package static func retain(_ address: UnsafeMutableRawPointer) {
    // Unsafe: the caller owns a reference, so the object is there.
    _ = unsafe Unmanaged<AnyObject>.fromOpaque(address).retain()
  }

  /// Gives a reference back.
  package static func release(_ address: UnsafeMutableRawPointer) {
    // Unsafe: the caller owns the reference, and uses the address no more.
    unsafe Unmanaged<AnyObject>.fromOpaque(address).release()
  }
}

extension Promise {
  /// One more reference to this promise; the caller owns it.
  @inlinable
  package func retainedAddress() -> UnsafeMutableRawPointer { unsafe handle.retainedAddress() }

  /// The promise at an address, to which the caller owns a reference.
  ///
  /// The address must come from a promise of the same type.
  @inlinable
  package init(address: UnsafeMutableRawPointer) {
    // Unsafe: the caller vouches for the address and for the type.
    unsafe self.init(PromiseHandle(address: address))
  }
}

extension Promise.Resolver {
  /// One more reference to this resolver; the caller owns it.
  @inlinable
  package func retainedAddress() -> UnsafeMutableRawPointer {
    // Unsafe: this only makes an address of a reference.
    unsafe Unmanaged.passRetained(producer).toOpaque()
  }

  /// The resolver at an address, to which the caller owns a reference.
  ///
  /// The address must come from a resolver of the same type.
  @inlinable
  package init(address: UnsafeMutableRawPointer) {
    // Unsafe: the caller vouches for the address and for the type.
    unsafe self.init(Unmanaged<Producer>.fromOpaque(address).takeUnretainedValue())
  }
}

extension PromiseHandle {
  @usableFromInline
  init(address: UnsafeMutableRawPointer) {
    // Unsafe: the caller owns a reference to a handle at this address.
    unsafe self.init(Unmanaged<PromiseObject>.fromOpaque(address).takeUnretainedValue())
  }

  @usableFromInline
  func retainedAddress() -> UnsafeMutableRawPointer {
    // Unsafe: this only makes an address of a reference.
    unsafe Unmanaged.passRetained(object).toOpaque()
  }
}
