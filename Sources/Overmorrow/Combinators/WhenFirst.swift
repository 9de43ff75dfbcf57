public import OvermorrowEngine

/// Returns a promise for the result of the first input that is fulfilled or rejected.
///
/// Other libraries call this a *race*. For the value of the first input that is fulfilled, see
/// ``when(firstFulfilled:cancelRemaining:joining:fileID:line:)``.
///
/// ```swift
/// let page = when(first: [loadFromDisk(), loadFromServer()], cancelRemaining: true)
/// let image = when(first: mirrors.map { load($0) }, cancelRemaining: true)
/// ```
///
/// - Fulfils, fails: with the result of the first input that is fulfilled or rejected. Cancelled inputs are ignored.
/// - Cancels: if all inputs are cancelled, or if there are no inputs. A request to cancel withdraws one vote on each
///   input.
/// - Parameters:
///   - promises: The inputs.
///   - cancelRemaining: Whether the other inputs are asked to cancel as soon as an input is fulfilled or rejected.
///     `false` by default.
///   - joining: Whether the returned promise is resolved only after all inputs have finished, even if an input has
///     already decided the result. `false` by default.
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

/// The rule of `when(first:)`: the first input that is fulfilled or rejected decides.
@usableFromInline
enum FirstFinished<Value: Sendable, Failure: Sendable>: GatheringRule {
  @inlinable
  static func decision(of input: PromiseResult<Value, Failure>) -> PromiseResult<Value, Failure>? {
    input.isCancelled ? nil : input
  }
}
