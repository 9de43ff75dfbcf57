public import OvermorrowEngine

extension Promise {
  /// The address of the promise's core. No other promise that exists at the same time has this address.
  @usableFromInline
  var address: UInt { withExtendedLifetime(handle) { handle.core.address } }

  /// Retains this promise and returns its address. The caller must release the new reference.
  @inlinable @_spi(Handles)
  public func retainedAddress() -> PromiseAddress { PromiseAddress(retaining: handle.object) }

  /// Creates a handle of the promise at an address. The caller must own a reference to the promise.
  ///
  /// The address must come from a promise of the same type.
  @inlinable @_spi(Handles)
  public init(address: PromiseAddress) { self.init(PromiseHandle(address.object())) }
}

extension Promise.Resolver {
  @inlinable
  @inline(__always)
  package var isUnresolved: Bool { object.isUnresolved }

  /// Retains this resolver and returns its address. The caller must release the new reference.
  @inlinable @_spi(Handles)
  public func retainedAddress() -> PromiseAddress { PromiseAddress(retaining: object) }

  /// Creates a copy of the resolver at an address. The caller must own a reference to the resolver.
  ///
  /// The address must come from a resolver of the same type.
  @inlinable @_spi(Handles)
  public init(address: PromiseAddress) { self.init(address.object()) }
}
