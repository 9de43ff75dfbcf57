extension Promise {
  /// Identifies the promise among those that exist at the same time.
  @usableFromInline
  package var address: UInt { withExtendedLifetime(handle) { handle.core.address } }

  /// A new reference to this promise, owned by the caller.
  @inlinable
  package func retainedAddress() -> PromiseAddress { handle.retainedAddress() }

  /// The promise at an address. The caller must own a reference to it.
  ///
  /// The address must come from a promise of the same type.
  @inlinable
  package init(address: PromiseAddress) { self.init(PromiseHandle(address: address)) }
}

extension Promise.Resolver {
  /// Whether the promise has no result yet.
  @inlinable
  @inline(__always)
  package var isUnresolved: Bool { producer.isUnresolved }

  /// A new reference to this resolver, owned by the caller.
  @inlinable
  package func retainedAddress() -> PromiseAddress { producer.retainedAddress() }

  /// The resolver at an address. The caller must own a reference to it.
  ///
  /// The address must come from a resolver of the same type.
  @inlinable
  package init(address: PromiseAddress) { self.init(Producer.at(address)) }
}
