#if OVERMORROW_PLAIN
  /// The part of the compiler's module that this file uses.
  @usableFromInline
  enum Builtin {
    @inlinable
    static func reinterpretCast<From, To>(_ value: From) -> To { unsafe unsafeBitCast(value, to: To.self) }
  }
#else
  internal import Builtin
#endif

/// Functions that turn closures of an actor into plain closures (`Documentation/0017`).
@usableFromInline
package enum Isolation {
  // Unsafe, each of these: a synchronous function has the same calling convention whatever its isolation. The isolation
  // is stored with the captures of the function. The compiler requires an `await` for the call, because the compiler
  // cannot know that the engine calls the function on its actor. The engine does so in the context that
  // `PromiseContext.isolated` makes for the function. The builtin is used because `unsafeBitCast` needs the metadata of
  // these function types, which older systems of Apple cannot make.

  @inlinable
  package static func uncheckedThrowing<Input, Output, E: Error>(
    _ body: @escaping @Sendable @isolated(any) (Input) throws(E) -> Output
  ) -> @Sendable (Input) throws(E) -> Output {
    Builtin.reinterpretCast(body)
  }

  // The forms without a thrown error are separate, because Swift 6.3.1 crashes when it converts a throwing closure to
  // one that throws `Never`.

  @inlinable
  package static func unchecked<Input, Output>(
    _ body: @escaping @Sendable @isolated(any) (Input) -> Output
  ) -> @Sendable (Input) -> Output {
    Builtin.reinterpretCast(body)
  }

  @inlinable
  package static func unchecked<Output>(
    _ body: @escaping @Sendable @isolated(any) () -> Output
  ) -> @Sendable () -> Output {
    Builtin.reinterpretCast(body)
  }

  // These forms take closures that are not marked Sendable, for adapters whose clients are older than `Sendable`. The
  // closures that they return are `Sendable`, because they move from one thread to the next and are never shared.

  @inlinable
  package static func plain<Input, Output>(
    _ body: @escaping @isolated(any) (Input) -> Output
  ) -> @Sendable (Input) -> Output {
    Builtin.reinterpretCast(body)
  }

  @inlinable
  package static func plain<Input, Output>(
    _ body: @escaping @isolated(any) (Input) throws -> Output
  ) -> @Sendable (Input) throws -> Output {
    Builtin.reinterpretCast(body)
  }

  @inlinable
  package static func plain<Output>(_ body: @escaping @isolated(any) () -> Output) -> @Sendable () -> Output {
    Builtin.reinterpretCast(body)
  }

  /// Makes a closure `Sendable`, because the closure moves to another thread.
  @inlinable
  package static func sent<Input, Output>(_ body: @escaping (Input) -> Output) -> @Sendable (Input) -> Output {
    Builtin.reinterpretCast(body)
  }

  // These forms take closures with an owner.

  @inlinable
  package static func uncheckedThrowing<Owner, Input, Output, E: Error>(
    _ body: @escaping @Sendable @isolated(any) (Owner, Input) throws(E) -> Output
  ) -> @Sendable (Owner, Input) throws(E) -> Output {
    Builtin.reinterpretCast(body)
  }

  @inlinable
  package static func unchecked<Owner, Input, Output>(
    _ body: @escaping @Sendable @isolated(any) (Owner, Input) -> Output
  ) -> @Sendable (Owner, Input) -> Output {
    Builtin.reinterpretCast(body)
  }
}
