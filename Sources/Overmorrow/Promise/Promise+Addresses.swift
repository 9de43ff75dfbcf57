extension Promise {
  /// One more reference to this promise; the caller owns it.
  @inlinable
  package func retainedAddress() -> PromiseAddress { handle.retainedAddress() }

  /// The promise at an address, to which the caller owns a reference.
  ///
  /// The address must come from a promise of the same type.
  @inlinable
  package init(address: PromiseAddress) { self.init(PromiseHandle(address: address)) }
}

extension Promise.Resolver {
  /// One more reference to this resolver; the caller owns it.
  @inlinable
  package func retainedAddress() -> PromiseAddress { producer.retainedAddress() }

  /// The resolver at an address, to which the caller owns a reference.
  ///
  /// The address must come from a resolver of the same type.
  @inlinable
  package init(address: PromiseAddress) { self.init(Producer.at(address)) }
}

extension Promise {
  /// Tells the promise from others that exist at the same time.
  @usableFromInline
  package var address: UInt { withExtendedLifetime(handle) { handle.core.address } }
}

extension Promise.Resolver {
  /// Whether the promise has no result yet.
  @inlinable
  @inline(__always)
  package var isUnresolved: Bool { producer.isUnresolved }
}
