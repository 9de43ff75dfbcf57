/// A promise for the values of all promises, in their order.
///
/// ```swift
/// let copies = when(fulfilled: parts.map { copy($0) }, cancelOnFailure: true, joining: true)
/// copies.catch { _ in removeFolder() }  // no copy writes there any more
/// ```
///
/// - Fulfils: when every input has, with the values in the order of the inputs; at once for no input.
/// - Fails: with the error of the first input that is rejected.
/// - Cancels: with the first input that is cancelled. A request to cancel counts as one child's request on each input.
/// - Parameters:
///   - promises: The inputs.
///   - cancelOnFailure: Whether all the inputs are asked to cancel as soon as one is rejected or cancelled.
///   - joining: Whether the promise returned waits until all the inputs have finished, also when one has decided.
///   - fileID: The file of the call, for ``PromiseDiagnostics``.
///   - line: The line of the call.
/// - Complexity: One registration for each input.
@inlinable
public func when<Value, Failure>(
  fulfilled promises: [Promise<Value, Failure>], cancelOnFailure: Bool = false, joining: Bool = false,
  fileID: StaticString = #fileID, line: UInt = #line
) -> Promise<[Value], Failure> {
  if promises.isEmpty { return Promise(fulfilled: [], fileID: fileID, line: line) }
  let keeper = ResultKeeper(promises)
  let (promise, resolver) = Promise<[Value], Failure>.makeForLibrary(at: CallSite(fileID, line))
  let gathering = Gathering(
    resolver: resolver, count: promises.count, cancelling: cancelOnFailure, joining: joining
  ) { .value(keeper.values()) }
  gathering.register(promises, by: AllFulfilled<Value, [Value], Failure>.self)
  return promise
}

/// The first input that is rejected or cancelled decides.
@usableFromInline
enum AllFulfilled<Value: Sendable, Output: Sendable, Failure: Sendable>: GatheringRule {
  @inlinable
  static func decision(of input: PromiseResult<Value, Failure>) -> PromiseResult<Output, Failure>? {
    switch input {
    case .value: nil
    case .error(let error): .error(error)
    case .cancelled: .cancelled
    }
  }
}
