/// A counter that finds the last of a known number of callers.
@usableFromInline
package final class Countdown: Sendable {
  private let remaining: Atomic<Int>

  @usableFromInline
  package init(_ count: Int) { remaining = Atomic(count) }

  /// Returns `true` for the last caller only. The last caller sees everything that the others did before
  /// (acquire-release).
  @usableFromInline
  package func isLast() -> Bool { remaining.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
}
