package import OvermorrowEngine

// The trail of the error of the promise.
extension PromiseNote {
  /// The promises before this promise in its chain, and this promise.
  var chain: TrailParts { before.appending(TrailParts.Part(mark: mark)) }

  /// The trail of the error of the promise, which is rejected. The caller has a count on the core, or had the last
  /// count.
  var trailParts: TrailParts {
    let (trailParts, failure) = state.withLock { ($0.error.trailParts, $0.error.rejectedIn) }
    if let trailParts { return trailParts }
    guard let failure, let error = copyOfError, failure.isOf(error) else { return chain.rejectedAtEnd }
    var new = chain
    new.append(failure.trailParts)
    new.append(TrailParts.Part(mark: mark, isAdoption: true))
    return new
  }

  /// A record of the promise's error; `nil` if the promise is not rejected. The caller has a count on the core.
  var failure: RecordedFailure? {
    guard core.outcome == .error, let error = copyOfError else { return nil }
    return RecordedFailure(of: error, of: number, trailParts)
  }

  /// Continues the trail of an error with this promise. If trails leave out the promise, the trail of the error that it
  /// had before an adoption is left out, too.
  func extendTrail(by other: TrailParts, isAdoption: Bool) {
    var new = isAdoption && !mark.isHidden ? state.withLock { $0.error.trailParts } ?? chain : TrailParts()
    new.append(other)
    new.append(TrailParts.Part(mark: mark, isAdoption: isAdoption))
    let old = state.withLock { state in
      defer { state.error.trailParts = new }
      return state.error.trailParts
    }
    withExtendedLifetime(old) {}
  }

  package func noteClaimed(for outcome: Outcome) {
    if outcome == .error, let failure = RecordedFailure.current {
      let old = state.withLock { state in
        defer { state.error.rejectedIn = failure }
        return state.error.rejectedIn
      }
      withExtendedLifetime(old) {}
    }
    sendClaimed(for: outcome)
  }
}
