extension PromiseContext {
  /// Returns the context of a closure that is registered without a context: the actor that the closure is isolated to,
  /// or a fallback.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the closure is isolated to.
  ///   - nowIfResolved: Whether the closure may run inside the registering call if the promise is already resolved and
  ///     `caller` is `isolation`.
  ///   - caller: The actor of the code that registers the closure.
  ///   - fallback: The context of a closure that is isolated to no actor.
  @usableFromInline
  package static func isolated(
    to isolation: (any Actor)?, _ nowIfResolved: Bool = false, _ caller: (any Actor)? = nil,
    otherwise fallback: @autoclosure () -> PromiseContext = .auto
  ) -> PromiseContext {
    let context: PromiseContext = isolation.map { $0 === MainActor.shared ? .main : .actor($0) } ?? fallback()
    return nowIfResolved && caller === isolation ? .nowOr(context) : context
  }
}
