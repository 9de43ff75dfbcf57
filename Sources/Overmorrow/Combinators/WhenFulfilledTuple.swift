/// A promise for the values of promises of different types, in their order.
///
/// ```swift
/// when(fulfilled: loadUser(), loadAvatar()).then { user, avatar in show(user, avatar) }
/// ```
///
/// - Fulfils: when every input has, with the values in the order of the inputs; at once for no input.
/// - Fails: with the error of the first input that is rejected.
/// - Cancels: with the first input that is cancelled. A request to cancel counts as one child's request on each input.
/// - Parameters:
///   - promise: The inputs, any number of them.
///   - cancelOnFailure: Whether all the inputs are asked to cancel as soon as one is rejected or cancelled.
///   - joining: Whether the promise returned waits until all the inputs have finished, also when one has decided.
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
  repeat gathering.askOnDecision(each promise)
  var steps = NewSteps(reserving: count)
  repeat gathering.register(each promise, by: AllFulfilled<each Value, Output, Failure>.self, into: &steps)
  gathering.wait(for: steps)
  return result
}
