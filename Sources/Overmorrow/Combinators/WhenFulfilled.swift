public import OvermorrowEngine

/// Returns a promise for the values of all inputs, in the order of the inputs.
///
/// ```swift
/// let copies = when(fulfilled: parts.map { copy($0) }, cancelOnFailure: true, joining: true)
/// copies.catch { _ in removeFolder() }  // no copy writes there any more
/// ```
///
/// - Fulfils: when all inputs are fulfilled, with their values in the order of the inputs. If there are no inputs, at
///   once.
/// - Fails: if an input is rejected before any input is cancelled, with the error of the first rejected input.
/// - Cancels: if an input is cancelled before any input is rejected. A request to cancel withdraws one vote on each
///   input.
/// - Parameters:
///   - promises: The inputs.
///   - cancelOnFailure: Whether the other inputs are asked to cancel as soon as an input is rejected or cancelled.
///     `false` by default.
///   - joining: Whether the returned promise is resolved only after all inputs have finished, even if an input has
///     already decided the result. `false` by default.
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

/// The rule of `when(fulfilled:)`: the first input that is rejected or cancelled decides.
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
