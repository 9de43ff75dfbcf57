internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// Makes a promise from each element of a sequence, a limited number at a time, and returns a promise for all results.
/// The promise never fails.
///
/// The inputs are elements of the sequence and not promises: the promise for an element is started only when fewer than
/// `maxConcurrent` promises are unresolved. The sequence is read only as far as needed.
///
/// ```swift
/// let results = when(settled: urls, maxConcurrent: 4, on: .utility) { url in
///   fetchPage(url)
/// }
/// ```
///
/// - Fulfils: when the sequence has ended and every promise has finished, with the results in the order of the inputs.
/// - Cancels: if `token` is already invalidated when the next input would be read. After a request to cancel, no
///   further promise is started, and one vote on each promise in flight is withdrawn. When these promises have finished
///   after the request, the returned promise is fulfilled if the sequence has no further element, and is cancelled if
///   the sequence has a further element. If no promise is in flight at the time of the request, the returned promise is
///   cancelled.
/// - Runs on: `context`. The sequence is also read on `context`. The calls of `transform` are serial and in the order
///   of the inputs, so `transform` should only start work and return.
/// - Order: when a promise has finished, the next input is started as soon as `context` allows.
/// - Parameters:
///   - inputs: The sequence whose elements are given to `transform`.
///   - maxConcurrent: The largest number of promises that may be unresolved at the same time. A value below 1 counts as
///     1, and the diagnostics report it.
///   - context: The context on which `transform` runs.
///   - token: A token whose invalidation suppresses further calls of `transform`.
///   - fileID: The file of the call, for ``PromiseDiagnostics``.
///   - line: The line of the call.
///   - transform: A closure that makes a promise from an input.
/// - Complexity: Two registrations for each input, and O(`maxConcurrent`) memory in addition to the results.
public func when<Inputs: Sequence, Value, Failure>(
  settled inputs: sending Inputs, maxConcurrent: Int, on context: PromiseContext,
  token: PromiseInvalidationToken? = nil, fileID: StaticString = #fileID, line: UInt = #line,
  _ transform: @escaping @Sendable (Inputs.Element) -> Promise<Value, Failure>
) -> Promise<[PromiseResult<Value, Failure>], Never> where Inputs.Element: Sendable {
  settle(inputs, maxConcurrent, on: context, token, at: CallSite(fileID, line), transform)
}

/// Makes a promise from each element of a sequence, a limited number at a time, and returns a promise for all results.
/// The closure runs on the actor that it is isolated to.
///
/// Otherwise, this behaves like ``when(settled:maxConcurrent:on:token:fileID:line:_:)``.
///
/// - Runs on: the actor that `transform` is isolated to, or `.default` if it is isolated to none. The sequence is also
///   read on this actor or context.
/// - Parameters:
///   - inputs: The sequence whose elements are given to `transform`.
///   - maxConcurrent: The largest number of promises that may be unresolved at the same time.
///   - token: A token whose invalidation suppresses further calls of `transform`.
///   - fileID: The file of the call, for ``PromiseDiagnostics``.
///   - line: The line of the call.
///   - transform: A closure that makes a promise from an input.
public func when<Inputs: Sequence, Value, Failure>(
  settled inputs: sending Inputs, maxConcurrent: Int, token: PromiseInvalidationToken? = nil,
  fileID: StaticString = #fileID, line: UInt = #line,
  @_inheritActorContext(always) _ transform:
    @escaping @Sendable @isolated(any) (Inputs.Element) -> Promise<Value, Failure>
) -> Promise<[PromiseResult<Value, Failure>], Never> where Inputs.Element: Sendable {
  settle(
    inputs, maxConcurrent, on: .isolated(to: transform.isolation, otherwise: .default), token,
    at: CallSite(fileID, line), Isolation.unchecked(transform))
}

/// Calls an async closure with each element of a sequence, a limited number at a time, and returns a promise for all
/// results. The promise never fails.
///
/// ```swift
/// let results = when(settled: urls, maxConcurrent: 4) { url in
///   try await service.page(at: url)
/// }
/// ```
///
/// Each call runs in its own task, and a request to cancel cancels the running tasks. If a call throws
/// `CancellationError`, its result is `.cancelled`. Otherwise, this behaves like
/// ``when(settled:maxConcurrent:on:token:fileID:line:_:)``.
///
/// - Runs on: the actor that `transform` is isolated to, or the global executor if it is isolated to none. The sequence
///   is read on the same actor, or on `.default` if `transform` is isolated to no actor.
/// - Parameters:
///   - inputs: The sequence whose elements are given to `transform`.
///   - maxConcurrent: The largest number of tasks that may run at the same time.
///   - token: A token whose invalidation suppresses further calls of `transform`.
///   - fileID: The file of the call, for ``PromiseDiagnostics``.
///   - line: The line of the call.
///   - transform: The async closure to call with each element.
public func when<Inputs: Sequence, Value: Sendable, Failure: Error>(
  settled inputs: sending Inputs, maxConcurrent: Int, token: PromiseInvalidationToken? = nil,
  fileID: StaticString = #fileID, line: UInt = #line,
  @_inheritActorContext(always) _ transform:
    @escaping @Sendable @isolated(any) (Inputs.Element) async throws(Failure) -> Value
) -> Promise<[PromiseResult<Value, Failure>], Never> where Inputs.Element: Sendable {
  let (tasks, priority, site) = (CallerTasks(), Task.currentPriority, CallSite(fileID, line))
  return settle(
    inputs, maxConcurrent, on: .isolated(to: transform.isolation, otherwise: .default), token, at: site
  ) { input in
    tasks.promise(priority: priority, at: site) { () async throws(Failure) in try await transform(input) }
  }
}

private func settle<Inputs: Sequence, Value, Failure>(
  _ inputs: sending Inputs, _ maxConcurrent: Int, on context: PromiseContext, _ token: PromiseInvalidationToken?,
  at site: CallSite, _ transform: @escaping @Sendable (Inputs.Element) -> Promise<Value, Failure>
) -> Promise<[PromiseResult<Value, Failure>], Never> where Inputs.Element: Sendable {
  let limit = Diagnostics.replace(maxConcurrent, by: max(1, maxConcurrent), "when(settled:maxConcurrent:)")
  // A promise that is fulfilled with the result of another one decides nothing.
  return BoundedGathering.run(
    inputs, limit, cancelOnFailure: false, joining: false, on: context, token, at: site
  ) { input in
    transform(input).mapResult(on: .immediate) { .value($0) }
  }
}
