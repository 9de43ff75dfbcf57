public import OvermorrowEngine

/// Returns a promise for the values of inputs of different types, in the order of the inputs.
///
/// ```swift
/// when(fulfilled: loadUser(), loadAvatar()).then { user, avatar in show(user, avatar) }
/// ```
///
/// - Fulfils: when all inputs are fulfilled, with their values in the order of the inputs. If there are no inputs, at
///   once.
/// - Fails: if an input is rejected before any input is cancelled, with the error of the first rejected input.
/// - Cancels: if an input is cancelled before any input is rejected. A request to cancel withdraws one vote on each
///   input.
/// - Parameters:
///   - promise: The inputs, any number of them.
///   - cancelOnFailure: Whether the other inputs are asked to cancel as soon as an input is rejected or cancelled.
///     `false` by default.
///   - joining: Whether the returned promise is resolved only after all inputs have finished, even if an input has
///     already decided the result. `false` by default.
///   - fileID: The file of the call, for ``PromiseDiagnostics``.
///   - line: The line of the call.
/// - Complexity: One registration for each input.
@inlinable
public func when<each Value: Sendable, Failure>(
  fulfilled promise: repeat Promise<each Value, Failure>, cancelOnFailure: Bool = false, joining: Bool = false,
  fileID: StaticString = #fileID, line: UInt = #line
) -> Promise<(repeat each Value), Failure> {
  typealias Output = (repeat each Value)
  let keeper = (repeat ResultKeeper([each promise]))
  var count = 0
  for _ in repeat each promise { count += 1 }
  let (result, resolver) = Promise<Output, Failure>.makeForLibrary(at: CallSite(fileID, line))
  let gathering = Gathering<Output, Failure>(
    resolver: resolver, count: count, cancelling: cancelOnFailure, joining: joining
  ) { .value((repeat (each keeper).values()[0])) }
  if count == 0 { gathering.conclude() }
  repeat gathering.cancelOnDecision(each promise)
  var steps = NewSteps(reserving: count)
  repeat gathering.register(each promise, by: AllFulfilled<each Value, Output, Failure>.self, into: &steps)
  gathering.wait(for: steps)
  return result
}
