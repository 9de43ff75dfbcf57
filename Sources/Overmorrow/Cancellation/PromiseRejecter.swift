internal import OvermorrowEngine

/// A weak reference to a promise, through which an adapter rejects the promise from outside.
@_spi(Adapters)
public struct PromiseRejecter: Sendable {
  private let core: WeakCore

  /// Creates a reference to a promise.
  ///
  /// - Parameter promise: The promise. The reference does not retain it. If the promise is to be rejected, it must be a
  ///   child that the adapter has made for this purpose, because its resolver does not learn of the rejection.
  @_spi(Adapters)
  public init<Value>(_ promise: Promise<Value, any Error>) { core = WeakCore(promise.handle.core) }

  /// Rejects the promise, and withdraws its vote. Does nothing if the promise has resolved or no longer exists.
  @_spi(Adapters)
  public func reject(with error: any Error) { core.reject(with: error) }
}
