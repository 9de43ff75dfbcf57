internal import Synchronization

/// One generation of an invalidation token: open until the token is invalidated, then shut for good.
///
/// Callbacks keep the gate, not the token, so that nothing pending keeps a token alive. A token that is invalidated
/// takes a new gate for the callbacks to come.
@usableFromInline
final class Gate: Sendable {
  private let shut = Atomic(false)

  /// Whether callbacks that were registered with this gate are suppressed.
  var isShut: Bool { shut.load(ordering: .acquiring) }

  /// Suppresses them all. What the caller did before is seen by whoever finds the gate shut.
  func close() { shut.store(true, ordering: .releasing) }
}
