internal import OvermorrowEngine

// The way of the error of the promise.
extension PromiseNote {
  /// The promises before this promise in its chain, and this promise.
  var chain: PromiseWay { before.appending(PromiseWay.Part(mark: mark)) }

  /// The way of the error of the promise, which is rejected. The caller has a count on the core, or had the last count.
  var way: PromiseWay {
    let (way, failure) = state.withLock { ($0.error.way, $0.error.rejectedIn) }
    if let way { return way }
    guard let failure, let error = copyOfError, failure.isOf(error) else { return chain.rejectedAtEnd }
    var new = chain
    new.append(failure.way)
    new.append(PromiseWay.Part(mark: mark, isAdoption: true))
    return new
  }

  /// A record of the promise's error; `nil` if the promise is not rejected. The caller has a count on the core.
  var failure: RecordedFailure? {
    guard core.outcome == .error, let error = copyOfError else { return nil }
    return RecordedFailure(of: error, of: number, way)
  }

  /// Continues the way of an error with this promise. If trails leave out the promise, the way of the error that it had
  /// before an adoption is left out, too.
  func extendWay(by way: PromiseWay, isAdoption: Bool) {
    var new = isAdoption && !mark.isHidden ? state.withLock { $0.error.way } ?? chain : PromiseWay()
    new.append(way)
    new.append(PromiseWay.Part(mark: mark, isAdoption: isAdoption))
    let old = state.withLock { state in
      defer { state.error.way = new }
      return state.error.way
    }
    withExtendedLifetime(old) {}
  }

  func noteClaimed(for outcome: Outcome) {
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
