/// A flag that can be taken once.
final class OnceFlag: Sendable {
  private let taken = Atomic(false)

  /// `true` for the first caller only. Acquire-release: the first caller sees everything that was done before.
  func take() -> Bool {
    let wasTaken = taken.exchange(true, ordering: .acquiringAndReleasing)
    return !wasTaken
  }
}
