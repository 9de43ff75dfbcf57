/// What the copies of a resolver share; its end is the end of the hope for a result.
///
/// It holds one count on the core, which is also what keeps the core while it is unresolved.
@usableFromInline
final class Producer: Sendable {
  @usableFromInline let core: CoreRef

  /// Takes over a count on the core.
  @usableFromInline
  init(_ core: CoreRef) { self.core = core }

  deinit {
    if core.state.isPending { abandon() }
    core.release()
  }

  @inline(never)
  private func abandon() {
    guard core.claim() else { return }
    Diagnostics.report(.resolverDropped)
    core.publishOwned(.cancelled)
  }

  /// A producer for a core that has lost its own: it can do nothing, as the claim is taken; `nil` if it is not.
  static func late(_ core: CoreRef) -> Producer? {
    if core.state.isPending { return nil }
    core.retain()
    return Producer(core)
  }

  /// Resolves to the result of another promise; does nothing if the claim is taken.
  @usableFromInline
  func adopt(_ handle: PromiseHandle) {
    guard core.claim() else { return }
    // The list of the promise adopted needs a count, as it may outlive this producer.
    core.retain()
    core.adopt(handle, in: nil)
  }

  /// Cancels; does nothing if the claim is taken.
  @usableFromInline
  func cancel() {
    if core.claim() { core.publishOwned(.cancelled) }
  }

  /// Runs the body of the promise, in the scope of checks that the promise belongs to, if there is one.
  func inScope(_ body: () -> Void) {
    if core.traits.contains(.checked) { CheckedCore.run(body, inScopeOf: core) } else { body() }
  }

  /// Whether cancelling was requested and may still matter, or has happened.
  @usableFromInline
  var hasRequestedCancel: Bool {
    if let outcome = core.outcome { return outcome == .cancelled }
    return core.hasBeenAskedToCancel
  }
}
