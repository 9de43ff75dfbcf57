internal import OvermorrowEngine

/// What a note knows of the error of its promise.
struct ErrorState: Sendable {
  /// The error of the promise; `nil` until the promise takes over the error from its source or forwards the error, or
  /// code reads the error.
  var followed: FollowedError?
  /// The number of steps and adopters that were registered to receive the error and have not taken it over. When the
  /// promise ends, each of them has ended before the error arrived: by a timeout, a token, a request to cancel, or
  /// the end of a race.
  var recipients = 0
  /// The trail of the error that the promise took over; `nil` if it took over no error.
  var trailParts: TrailParts?
  /// The failure for which the code that rejected the promise was a callback. The promise may have another error.
  var rejectedIn: RecordedFailure?
}

// The error of the promise, which is followed from promise to promise.
extension PromiseNote {
  package func noteRead() {
    failure?.keep()
    error.observe()
  }

  /// A copy of the error of the promise, which is rejected. The caller has a count on the core, or had the last count.
  var copyOfError: Any? {
    guard case .answer(let answer) = note.perform(.copyError, core, nil) else { return nil }
    return (answer as? ErrorCopy)?.error
  }

  /// The error that other promises take over from this promise.
  var error: FollowedError {
    let new = FollowedError(site, origin, name: name)
    return state.withLock { state in
      let error = state.error.followed ?? new
      state.error.followed = error
      return error
    }
  }

  /// Takes over the error of a rejected source. If the source has no note or is in another scope, the error is followed
  /// only from this promise on.
  func takeOver(from source: CoreRef?, readsError: Bool, isAdoption: Bool = false) {
    guard let source, source.outcome == .error else { return }
    let note = PromiseNote.find(source)
    if let trailParts = note?.trailParts { extendTrail(by: trailParts, isAdoption: isAdoption) }
    note?.state.withLock { $0.error.recipients -= 1 }
    let isFollowed = note?.membership?.scope === membership?.scope
    if !isFollowed { note?.noteRead() }
    let error = isFollowed ? note?.error : nil
    error?.retain()
    error?.trailParts = trailParts
    if readsError { error?.observe() }
    let old = state.withLock { state in
      defer { state.error.followed = error }
      return state.error.followed
    }
    old?.release()
  }

  /// Stops following the source's error if the step has made another error. The other error, which no code has read
  /// yet, is then followed from this promise on, and its trail says that it was made here. A step that throws the error
  /// of its source again has made no error.
  func followNewError(unless failure: RecordedFailure) {
    guard let error = copyOfError, !failure.isOf(error) else { return }
    let old = state.withLock { state in
      let trailParts = state.error.trailParts
      state.error.trailParts = trailParts?.rejectedAtEnd
      return (error: state.error.followed.take(), trailParts: trailParts)
    }
    old.error?.release()
  }
}
