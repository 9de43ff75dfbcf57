public import Overmorrow
public import OvermorrowDiagnostics
public import OvermorrowEngine

// The layer of a limiter's jobs that depends on their types. A client specialises it.

extension PromiseLimiter {
  /// Returns the promise for the end of a job that has its place and has begun.
  ///
  /// - Parameters:
  ///   - promise: The promise that the job has returned.
  ///   - cancellations: The number of calls of `cancelAll()` when the job began.
  ///   - site: The call of `run`.
  @inlinable
  @inline(__always)
  func keep<Value, Failure>(
    _ promise: Promise<Value, Failure>, since cancellations: Int, _ site: CallSite
  ) -> Promise<Value, Failure> {
    if UntypedPromise(promise).isResolved {
      endAtOnce()
      return promise
    }
    // The job's own promise is not returned, because a request to cancel must withdraw one vote only.
    let (result, resolver) = Promise<Value, Failure>.makeForLibrary(at: site, by: .job)
    keep(UntypedPromise(result), UntypedResolver(resolver), following: UntypedPromise(promise), since: cancellations)
    return result
  }

  /// Makes the promise of a job, and adds the job to the queue.
  ///
  /// - Parameter isBegun: Whether the job already has its place.
  @inlinable
  func submit<Value, Failure>(
    _ entry: LimiterEntry, _ site: CallSite, isBegun: Bool = false,
    _ job: @escaping @Sendable () -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    let (promise, resolver) = Promise<Value, Failure>.makeForLibrary(at: site, by: .job)
    submit(entry, UntypedPromise(promise), UntypedResolver(resolver), isBegun: isBegun) { resolver, error in
      let resolver = Promise<Value, Failure>.Resolver(resolver)
      if let error { resolver.turnAway(with: error) } else { resolver.resolve(with: job()) }
    }
    return promise
  }
}

extension Promise.Resolver {
  /// Rejects the promise of a job that a limiter turns away. If the failure type cannot represent the error, cancels
  /// the promise.
  @inlinable
  @inline(never)
  func turnAway(with error: PromiseRefusalError) {
    if let error = error as? Failure { reject(with: error) } else { cancel() }
  }
}
