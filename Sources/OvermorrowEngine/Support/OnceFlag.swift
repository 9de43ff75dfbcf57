/// A flag that can be taken once.
package final class OnceFlag: Sendable {
  private let taken = Atomic(false)

  package init() {}

  /// Takes the flag. Returns `true` for the first caller only. Acquire-release: a later caller sees everything that the
  /// first caller did before it took the flag.
  package func take() -> Bool {
    let wasTaken = taken.exchange(true, ordering: .acquiringAndReleasing)
    return !wasTaken
  }

  /// Whether a thread has taken the flag. Relaxed: this says nothing about what that thread did before.
  package var isTaken: Bool { taken.load(ordering: .relaxed) }
}
