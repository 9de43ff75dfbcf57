/// A promise for the first of several promises that is fulfilled or rejected.
///
/// ```swift
/// let image = when(first: mirrors.map { load($0) }, cancelRemaining: true)
/// ```
///
/// - Fulfils, fails: as the first input that is fulfilled or rejected; inputs that are cancelled do not count.
/// - Cancels: when all the inputs are cancelled, or there is none. A request to cancel counts as one child's request on
///   each input.
/// - Runs on: nothing of yours is run. If the inputs allow it, the promise returned is resolved already.
/// - Parameters:
///   - promises: The inputs.
///   - cancelRemaining: Whether all the others are asked to cancel as soon as one is fulfilled or rejected.
/// - Complexity: One registration for each input.
@inlinable
public func when<Value, Failure>(
  first promises: [Promise<Value, Failure>], cancelRemaining: Bool = false
) -> Promise<Value, Failure> {
  if promises.isEmpty { return Promise(with: .cancelled) }
  let (promise, resolver) = Promise<Value, Failure>.makeWithResolver()
  let remaining = PromiseInvalidationToken(invalidateOnDeinit: false)
  if cancelRemaining {
    for promise in promises { promise.requestCancelOnInvalidate(remaining) }
  }
  let uncancelled = Countdown(promises.count)
  let report: @Sendable (PromiseResult<Value, Failure>) -> Void = { result in
    if result.isCancelled {
      if uncancelled.isLast() { resolver.cancel() }
    } else {
      resolver.resolve(with: result)
      remaining.invalidate()
    }
  }
  let children = promises.map {
    $0.observe(ReportStep<Value, Failure, FullPart>.self, on: .immediate, token: nil, report)
  }
  resolver.onRequestCancel(ask: children)
  return promise
}
