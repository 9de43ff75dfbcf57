public import Dispatch
public import OvermorrowEngine

// An adapter accepts closures of any isolation. It asks for the context of each closure, and registers a plain closure
// on that context. Plain closures are `Sendable`, because the code that adapters serve is often older than `Sendable`,
// and the engine passes a closure from one thread to the next and never shares it. The conversions are those of
// `Isolation`, where the proof stands.

extension PromiseAdapter {
  /// Returns the context of a closure that is isolated to an actor: the actor, or a fallback if there is none.
  ///
  /// - Parameters:
  ///   - isolation: The `isolation` of the closure, whose type is `@isolated(any)`.
  ///   - fallback: The context of a closure that is isolated to no actor.
  @inlinable
  public static func context(
    of isolation: (any Actor)?, otherwise fallback: @autoclosure () -> PromiseContext = .auto
  ) -> PromiseContext { .isolated(to: isolation, otherwise: fallback()) }

  /// Returns the context of a queue: `.main` for the main queue, the case of a global queue, or `.queue` for any other
  /// queue. Callbacks on the main queue and on a global queue can then run in one pass.
  public static func context(for queue: DispatchQueue) -> PromiseContext {
    NamedQueues.context(of: queue) ?? .queue(queue)
  }

  /// Returns a closure of any isolation as a closure that is called without `await`. The closure must be called on its
  /// actor, which is what ``context(of:otherwise:)`` is for.
  @inlinable
  public static func plain<Input, Output>(
    _ body: @escaping @isolated(any) (Input) -> Output
  ) -> @Sendable (Input) -> Output { Isolation.plain(body) }

  /// Returns a throwing closure of any isolation as a closure that is called without `await`. The closure must be
  /// called on its actor, which is what ``context(of:otherwise:)`` is for.
  @inlinable
  public static func plain<Input, Output>(
    _ body: @escaping @isolated(any) (Input) throws -> Output
  ) -> @Sendable (Input) throws -> Output { Isolation.plain(body) }

  /// Returns a closure of any isolation that takes nothing as a closure that is called without `await`. The closure
  /// must be called on its actor, which is what ``context(of:otherwise:)`` is for.
  @inlinable
  public static func plain<Output>(
    _ body: @escaping @isolated(any) () -> Output
  ) -> @Sendable () -> Output { Isolation.plain(body) }
}
