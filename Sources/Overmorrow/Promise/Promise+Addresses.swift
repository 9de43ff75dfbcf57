extension Promise {
  /// Identifies the promise among those that exist at the same time.
  @usableFromInline
  package var address: UInt { withExtendedLifetime(handle) { handle.core.address } }

  /// Returns a new reference to this promise, which the caller must release.
  @inlinable
  package func retainedAddress() -> PromiseAddress { handle.retainedAddress() }

  /// Creates a handle of the promise at an address. The caller must own a reference to that promise.
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

  /// Returns a new reference to this resolver, which the caller must release.
  @inlinable
  package func retainedAddress() -> PromiseAddress { producer.retainedAddress() }

  /// Creates a copy of the resolver at an address. The caller must own a reference to that resolver.
  ///
  /// The address must come from a resolver of the same type.
  @inlinable
  package init(address: PromiseAddress) { self.init(Producer.at(address)) }
}
