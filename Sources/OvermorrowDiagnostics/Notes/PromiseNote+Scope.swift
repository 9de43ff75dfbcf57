internal import OvermorrowEngine

/// The data of a promise in a scope.
struct ScopeMembership: Sendable {
  let scope: PromiseScope
  /// The origin. A promise and all promises that are derived from it share one origin.
  let origin: PromiseOrigin
  let core: WeakCore
}

// The promise in its scope of checks.
extension PromiseNote {
  enum Progress {
    /// The promise is unresolved, has no source, and has not adopted another promise.
    case unresolvedRoot
    /// The promise is a step that has not run to its end.
    case waitingStep
    case following
    case rejected
    /// The promise has its result and does not count as `rejected`, or the promise no longer exists. If a promise was
    /// rejected after a request to cancel, it counts as resolved and not as rejected.
    case resolved
  }

  var progress: Progress {
    membership?.core.read { core in
      let phase = core.state.phase
      if core.outcome == .error, !core.hasBeenAskedToCancel { return .rejected }
      if core.state.isResolved { return .resolved }
      if phase == .adopting { return .following }
      return core.traits.contains(.hasResolver) ? .unresolvedRoot : .waitingStep
    } ?? .resolved
  }
}
