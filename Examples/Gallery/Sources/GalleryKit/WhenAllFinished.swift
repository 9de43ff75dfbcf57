import Overmorrow

/// Waits for all promises, to the very end of the last one.
///
/// `when(fulfilled:)` settles as soon as one promise fails or is cancelled, while the others go on. That is too
/// early for someone who wants to delete the folder that they write into. So each result is first turned into a
/// value, which `when` waits for in any case, and the results are looked at once they are all there.
///
/// - Fulfils: with all values, in the order of the promises.
/// - Fails, cancels: as the first promise of the array that did, once all have finished.
func whenAllFinished<Value, Failure>(_ promises: [Promise<Value, Failure>]) -> Promise<[Value], Failure> {
  let results = promises.map { promise in
    promise.mapResult(on: .immediate) { PromiseResult<_, Failure>.value($0) }
  }
  return when(fulfilled: results).mapResult(on: .immediate) { all in
    all.flatMap { results in
      var values: [Value] = []
      values.reserveCapacity(results.count)
      for result in results {
        switch result {
        case .value(let value): values.append(value)
        case .error(let error): return .error(error)
        case .cancelled: return .cancelled
        }
      }
      return .value(values)
    }
  }
}
