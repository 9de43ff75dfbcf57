internal import Synchronization

/// One generation of an invalidation token: open until the token is invalidated, then shut for good.
///
/// Callbacks keep the gate, not the token, so that nothing pending keeps a token alive. A token that is invalidated
/// takes a new gate for the callbacks to come. A callback with several tokens has a gate of its own, which is shut when
/// one of theirs is.
@usableFromInline
final class Gate: Sendable {
  private let shut = Atomic(false)
  private let others: [Gate]
  /// The steps through which a promise of several others waits for them. It has no callback, and the gate is never shut.
  let steps: WaitingSteps?

  /// - Parameter others: The gates of single tokens; this one counts as shut as soon as one of them is.
  init(_ others: [Gate] = []) {
    self.others = others
    steps = nil
  }

  /// A gate in the core of a promise that waits through these steps.
  init(waitingThrough steps: WaitingSteps) {
    others = []
    self.steps = steps
  }

  /// Whether callbacks that were registered with this gate are suppressed.
  var isShut: Bool { shut.load(ordering: .acquiring) || others.contains(where: \.isShut) }

  /// Suppresses them all. What the caller did before is seen by whoever finds the gate shut.
  func close() { shut.store(true, ordering: .releasing) }
}

extension [PromiseInvalidationToken] {
  /// What a callback with all these tokens has to look at, and one more token if there is one.
  func gate(with token: PromiseInvalidationToken?) -> Gate? {
    guard let first else { return token?.gate }
    if count == 1, token == nil || token == first { return first.gate }
    return Gate(map(\.gate) + (token.map { [$0.gate] } ?? []))
  }
}
