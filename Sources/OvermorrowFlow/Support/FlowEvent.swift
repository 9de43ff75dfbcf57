/// An event of a part that admits or refuses work, for a metrics library.
@usableFromInline
package enum FlowEvent: Sendable {
  /// A call is admitted, or a further attempt begins.
  case begins
  /// Work that was admitted has ended.
  case ends
  /// A call or a further attempt is refused.
  case refused
  /// A call begins to wait, or does not wait any more.
  case waits, leaves
  /// A call has succeeded or has failed.
  case succeeds, fails
  /// A circuit breaker opens.
  case opens
}

/// A closure that receives events, on any thread, in any order. A part calls it without its lock.
@usableFromInline
package typealias FlowObserver = @Sendable (FlowEvent) -> Void
