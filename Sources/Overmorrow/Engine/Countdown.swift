internal import Synchronization

/// Tells who is the last of a known number.
final class Countdown: Sendable {
  private let remaining: Atomic<Int>

  init(_ count: Int) { remaining = Atomic(count) }

  /// `true` for the last one, who then sees what all the others did before (acquire-release).
  func isLast() -> Bool { remaining.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
}
