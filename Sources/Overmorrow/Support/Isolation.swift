internal import Builtin

/// Closures that know the actor they belong to, seen as plain ones.
@usableFromInline
package enum Isolation {
  // Unsafe, each of these: a synchronous function is called the same way whatever its isolation, which is a value beside its
  // captures. The compiler wants an `await` to call it, since it does not know that the engine does so on that actor:
  // the context that `PromiseContext.here(_:nowIfResolved:caller:otherwise:)` makes of the very same closure. And of the builtin:
  // `unsafeBitCast` needs the metadata of these function types, which older systems of Apple cannot make.

  /// A closure that may be called on its actor only, and throws.
  @inlinable
  package static func uncheckedThrowing<Input, Output, E: Error>(
    _ body: @escaping @Sendable @isolated(any) (Input) throws(E) -> Output
  ) -> @Sendable (Input) throws(E) -> Output {
    Builtin.reinterpretCast(body)
  }

  // A form of its own without a thrown error: Swift 6.3.1 crashes when it turns one that throws into one that throws `Never`.

  /// A closure that may be called on its actor only.
  @inlinable
  package static func unchecked<Input, Output>(
    _ body: @escaping @Sendable @isolated(any) (Input) -> Output
  ) -> @Sendable (Input) -> Output {
    Builtin.reinterpretCast(body)
  }

  /// A closure without parameters that may be called on its actor only.
  @inlinable
  package static func unchecked<Output>(
    _ body: @escaping @Sendable @isolated(any) () -> Output
  ) -> @Sendable () -> Output {
    Builtin.reinterpretCast(body)
  }

  // The same for closures that do not say whether they are Sendable, for modules whose clients are older than that.

  /// A closure that may be called on its actor only.
  @inlinable
  package static func plain<Input, Output>(_ body: @escaping @isolated(any) (Input) -> Output) -> (Input) -> Output {
    Builtin.reinterpretCast(body)
  }

  /// A closure that may be called on its actor only, and throws.
  @inlinable
  package static func plain<Input, Output>(
    _ body: @escaping @isolated(any) (Input) throws -> Output
  ) -> (Input) throws -> Output {
    Builtin.reinterpretCast(body)
  }

  /// A closure without parameters that may be called on its actor only.
  @inlinable
  package static func plain<Output>(_ body: @escaping @isolated(any) () -> Output) -> () -> Output {
    Builtin.reinterpretCast(body)
  }

  /// A closure that goes from thread to thread, as those of `plain` do.
  @inlinable
  package static func sent<Input, Output>(_ body: @escaping (Input) -> Output) -> @Sendable (Input) -> Output {
    Builtin.reinterpretCast(body)
  }

  /// A closure with an owner that may be called on its actor only, and throws.
  @inlinable
  static func uncheckedThrowing<Owner, Input, Output, E: Error>(
    _ body: @escaping @Sendable @isolated(any) (Owner, Input) throws(E) -> Output
  ) -> @Sendable (Owner, Input) throws(E) -> Output {
    Builtin.reinterpretCast(body)
  }

  /// A closure with an owner that may be called on its actor only.
  @inlinable
  static func unchecked<Owner, Input, Output>(
    _ body: @escaping @Sendable @isolated(any) (Owner, Input) -> Output
  ) -> @Sendable (Owner, Input) -> Output {
    Builtin.reinterpretCast(body)
  }
}
