/// A promise for the values of promises that are started one after the other, a limited number at a time.
///
/// The inputs are what the promises are made of, not the promises: each is started only when there is room for it. The
/// sequence is read only as far as needed, and may be endless if a failure or a request ends it.
///
/// ```swift
/// let pages = when(fulfilled: urls, maxConcurrent: 4, cancelOnFailure: true, on: .utility) { url in
///   fetchPage(url)
/// }
/// ```
///
/// - Fulfils: when there is no more input and every promise has been fulfilled, with the values in the order of the
///   inputs.
/// - Fails: with the error of the first promise that is rejected. Nothing is started any more.
/// - Cancels: with the first promise that is cancelled, or when `token` is invalidated and there is room for another
///   promise, before the end of the inputs has been seen. A request to cancel counts as one child's request on each
///   promise in flight, and nothing is started any more: the promise returned is then cancelled, unless those in flight
///   have been the last and are fulfilled all the same.
/// - Runs on: `context`, which also reads the sequence. There is one call of `transform` at a time, in the order of the
///   inputs: it should start work, not do it.
/// - Order: an input is started when one before it has finished, as soon as `context` allows.
/// - Parameters:
///   - inputs: What the promises are made of.
///   - maxConcurrent: How many promises may be unresolved at the same time. Less than one is taken as one, and the
///     diagnostics say so.
///   - cancelOnFailure: Whether the promises in flight are asked to cancel as soon as one is rejected or cancelled.
///   - joining: Whether to wait, also when one has decided, until all promises in flight have finished.
///   - context: Where `transform` runs.
///   - token: Suppresses further calls of `transform` when it is invalidated.
///   - fileID: The file of the call, for ``PromiseDiagnostics``.
///   - line: The line of the call.
///   - transform: Makes a promise of an input.
/// - Complexity: One registration for each input; O(`maxConcurrent`) memory beside the values.
public func when<Inputs: Sequence, Value, Failure>(
  fulfilled inputs: sending Inputs, maxConcurrent: Int, cancelOnFailure: Bool = false, joining: Bool = false,
  on context: PromiseContext, token: PromiseInvalidationToken? = nil, fileID: StaticString = #fileID,
  line: UInt = #line,
  _ transform: @escaping @Sendable (Inputs.Element) -> Promise<Value, Failure>
) -> Promise<[Value], Failure> where Inputs.Element: Sendable {
  gather(
    inputs, maxConcurrent, cancelOnFailure, joining, on: context, token, at: CallSite(fileID, line), transform)
}

/// A promise for the values of promises that are started one after the other, a limited number at a time, where the
/// closure belongs.
///
/// Behaves as ``when(fulfilled:maxConcurrent:cancelOnFailure:joining:on:token:fileID:line:_:)`` otherwise.
///
/// - Runs on: the actor that `transform` belongs to, or `.default` if it belongs to none; the sequence is read there as
///   well.
/// - Parameters:
///   - inputs: What the promises are made of.
///   - maxConcurrent: How many promises may be unresolved at the same time.
///   - cancelOnFailure: Whether the promises in flight are asked to cancel as soon as one is rejected or cancelled.
///   - joining: Whether to wait, also when one has decided, until all promises in flight have finished.
///   - token: Suppresses further calls of `transform` when it is invalidated.
///   - fileID: The file of the call, for ``PromiseDiagnostics``.
///   - line: The line of the call.
///   - transform: Makes a promise of an input.
public func when<Inputs: Sequence, Value, Failure>(
  fulfilled inputs: sending Inputs, maxConcurrent: Int, cancelOnFailure: Bool = false, joining: Bool = false,
  token: PromiseInvalidationToken? = nil, fileID: StaticString = #fileID, line: UInt = #line,
  @_inheritActorContext(always) _ transform:
    @escaping @Sendable @isolated(any) (Inputs.Element) -> Promise<Value, Failure>
) -> Promise<[Value], Failure> where Inputs.Element: Sendable {
  gather(
    inputs, maxConcurrent, cancelOnFailure, joining, on: .here(transform.isolation, otherwise: .default), token,
    at: CallSite(fileID, line), Isolation.unchecked(transform))
}

/// A promise for what an async closure makes of the elements of a sequence, a limited number at a time.
///
/// ```swift
/// let pages = when(fulfilled: urls, maxConcurrent: 4) { url in
///   try await service.page(at: url)
/// }
/// ```
///
/// Each call is a task of its own; a request to cancel cancels those that are running. Behaves as
/// ``when(fulfilled:maxConcurrent:cancelOnFailure:joining:on:token:fileID:line:_:)`` otherwise.
///
/// - Runs on: the actor that `transform` belongs to, or else the global executor. The sequence is read on that actor,
///   or else on `.default`.
/// - Parameters:
///   - inputs: What `transform` is called with.
///   - maxConcurrent: How many tasks may run at the same time.
///   - cancelOnFailure: Whether the tasks that are running are cancelled as soon as one fails or is cancelled.
///   - joining: Whether to wait, also when one has decided, until all tasks that are running have finished.
///   - token: Suppresses further calls of `transform` when it is invalidated.
///   - fileID: The file of the call, for ``PromiseDiagnostics``.
///   - line: The line of the call.
///   - transform: Called with each element.
public func when<Inputs: Sequence, Value: Sendable, Failure: Error>(
  fulfilled inputs: sending Inputs, maxConcurrent: Int, cancelOnFailure: Bool = false, joining: Bool = false,
  token: PromiseInvalidationToken? = nil, fileID: StaticString = #fileID, line: UInt = #line,
  @_inheritActorContext(always) _ transform:
    @escaping @Sendable @isolated(any) (Inputs.Element) async throws(Failure) -> Value
) -> Promise<[Value], Failure> where Inputs.Element: Sendable {
  let (priority, site) = (Task.currentPriority, CallSite(fileID, line))
  return gather(
    inputs, maxConcurrent, cancelOnFailure, joining, on: .here(transform.isolation, otherwise: .default), token,
    at: site
  ) { input in
    Promise(priority: priority, at: site) { () async throws(Failure) in try await transform(input) }
  }
}

private func gather<Inputs: Sequence, Value, Failure>(
  _ inputs: sending Inputs, _ maxConcurrent: Int, _ cancelOnFailure: Bool, _ joining: Bool, on context: PromiseContext,
  _ token: PromiseInvalidationToken?, at site: CallSite,
  _ transform: @escaping @Sendable (Inputs.Element) -> Promise<Value, Failure>
) -> Promise<[Value], Failure> where Inputs.Element: Sendable {
  let limit = Diagnostics.replace(maxConcurrent, by: max(1, maxConcurrent), "when(fulfilled:maxConcurrent:)")
  let (promise, resolver) = Promise<[Value], Failure>.makeForLibrary(at: site)
  let gathering = BoundedGathering(
    resolver: resolver, limit: limit, cancelling: cancelOnFailure, joining: joining, context: context,
    gate: token?.gate, cursor: InputCursor(inputs, transform))
  gathering.begin()
  return promise
}
