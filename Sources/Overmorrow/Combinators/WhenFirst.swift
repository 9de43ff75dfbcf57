/// A promise for the first of several promises that is fulfilled or rejected.
///
/// Elsewhere this is called a *race*. To have the first one that is fulfilled, see
/// ``when(firstFulfilled:cancelRemaining:joining:fileID:line:)``.
///
/// ```swift
/// let page = when(first: [loadFromDisk(), loadFromServer()], cancelRemaining: true)
/// let image = when(first: mirrors.map { load($0) }, cancelRemaining: true)
/// ```
///
/// - Fulfils, fails: as the first input that is fulfilled or rejected; inputs that are cancelled do not count.
/// - Cancels: when all the inputs are cancelled, or there is none. A request to cancel counts as one child's request on
///   each input.
/// - Parameters:
///   - promises: The inputs.
///   - cancelRemaining: Whether all the others are asked to cancel as soon as one is fulfilled or rejected.
///   - joining: Whether the promise returned waits until all the inputs have finished, also when one has decided.
///   - fileID: The file of the call, for ``PromiseDiagnostics``.
///   - line: The line of the call.
/// - Complexity: One registration for each input.
@inlinable
public func when<Value, Failure>(
  first promises: [Promise<Value, Failure>], cancelRemaining: Bool = false, joining: Bool = false,
  fileID: StaticString = #fileID, line: UInt = #line
) -> Promise<Value, Failure> {
  if promises.isEmpty { return Promise(with: .cancelled, fileID: fileID, line: line) }
  let (promise, resolver) = Promise<Value, Failure>.makeForLibrary(at: CallSite(fileID, line))
  let gathering = Gathering(
    resolver: resolver, count: promises.count, cancelling: cancelRemaining, joining: joining
  ) { .cancelled }
  gathering.register(promises, by: FirstFinished<Value, Failure>.self)
  return promise
}

/// The first input that is fulfilled or rejected decides.
@usableFromInline
enum FirstFinished<Value: Sendable, Failure: Sendable>: GatheringRule {
  @inlinable
  static func decision(of input: PromiseResult<Value, Failure>) -> PromiseResult<Value, Failure>? {
    input.isCancelled ? nil : input
  }
}
