internal import OvermorrowEngine

/// An error of the library that may be no mistake to ignore, because it says that the work is no longer wanted.
package protocol DiscardableError: Error {
  var isDiscardable: Bool { get }
}

// The errors that no code has read.
extension PromiseNote {
  /// Handles the end of a core that has an error. If no other promise has the error and no code has read the error,
  /// reports the error or passes it to the scope.
  func errorWillBeDestroyed(of core: CoreRef) {
    let state = state.withLock { state in
      defer { state.error.followed = nil }
      return state.error
    }
    // It is no mistake to ignore an error after a request to cancel, or after the end of a recipient.
    let isDiscarded = core.hasBeenAskedToCancel || state.recipients > 0
    if isDiscarded { state.followed?.observe() }
    if state.followed == nil, isDiscarded { return }
    let error = state.followed ?? FollowedError(site, origin, name: name)
    guard error.release(), let copy = relevantError(of: core) else { return }
    send(.failureUnobserved(origin: nil, error: "\(copy)"))
    if let membership { return membership.scope.record(lost: error) }
    if Diagnostics.level == .off { return }
    Diagnostics.report(.failureUnobserved(origin: error.namedOrigin, error: "\(copy)")) {
      (error.trailParts ?? trailParts).lines
    }
  }

  /// Returns a copy of the error of a rejected core. Returns `nil` if the error says that the work is no longer wanted,
  /// because it is no mistake to ignore such an error. The caller has a count on the core, or had the last count.
  private func relevantError(of core: CoreRef) -> Any? {
    guard let error = copyOfError, !(error is CancellationError),
      (error as? any DiscardableError)?.isDiscardable != true
    else {
      return nil
    }
    return error
  }

  /// Whether the promise has a recipient that has not taken over the error, so that it is no mistake to ignore the
  /// error now.
  var hasRecipients: Bool { state.withLock { $0.error.recipients > 0 } }

  /// The error of a rejected promise; `nil` if code has read the error, or if it is no mistake to ignore the error.
  var unobservedError: FollowedError? {
    let error = error
    if error.isObserved { return nil }
    membership?.core.withCore { core in
      if relevantError(of: core) == nil { error.observe() }
    }
    return error.isObserved ? nil : error
  }
}
