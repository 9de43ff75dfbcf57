extension PromiseContext {
  /// The context of a closure that was given none: the actor that it belongs to, or else another context.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the closure belongs to.
  ///   - nowIfResolved: Whether it may run inside the registering call.
  ///   - caller: The actor on which it is registered.
  ///   - fallback: The context of a closure that belongs to no actor.
  @usableFromInline
  package static func here(
    _ isolation: (any Actor)?, _ nowIfResolved: Bool = false, _ caller: (any Actor)? = nil,
    otherwise fallback: @autoclosure () -> PromiseContext = .auto
  ) -> PromiseContext {
    let context: PromiseContext = isolation.map { $0 === MainActor.shared ? .main : .actor($0) } ?? fallback()
    return nowIfResolved && caller === isolation ? .nowOr(context) : context
  }
}
