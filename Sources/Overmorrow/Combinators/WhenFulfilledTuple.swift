/// As `when(fulfilled:)` of an array, but the promises may be of different types.
///
/// ```swift
/// when(fulfilled: loadUser(), loadAvatar()).then { user, avatar in show(user, avatar) }
/// ```
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
