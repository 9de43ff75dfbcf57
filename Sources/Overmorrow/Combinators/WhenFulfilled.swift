/// A promise for the values of all promises, in their order.
///
/// - Fulfils: when every input has, with the values in the order of the inputs; at once for no input.
/// - Fails: with the error of the first input that is rejected.
/// - Cancels: with the first input that is cancelled. A request to cancel counts as one child's request on each input.
/// - Runs on: nothing of yours is run. If the inputs allow it, the promise returned is resolved already.
/// - Parameters:
///   - promises: The inputs.
///   - cancelOnFailure: Whether all the inputs are asked to cancel as soon as one is rejected or cancelled.
/// - Complexity: One registration for each input.
@inlinable
public func when<Value, Failure>(
  fulfilled promises: [Promise<Value, Failure>], cancelOnFailure: Bool = false
) -> Promise<[Value], Failure> {
  if promises.isEmpty { return Promise(fulfilled: []) }
  let keeper = ResultKeeper(promises)
  let (promise, resolver) = Promise<[Value], Failure>.makeWithResolver()
  let gathering = Gathering(resolver: resolver, count: promises.count, cancelOnFailure: cancelOnFailure) {
    keeper.values()
  }
  // Before any of them can fail, so that all hear of it.
  if cancelOnFailure { for promise in promises { gathering.askOnFailure(promise) } }
  gathering.onRequestCancel(ask: promises.map { gathering.register($0) })
  return promise
}

/// A promise for the values of promises of different types, in their order.
///
/// ```swift
/// when(fulfilled: loadUser(), loadAvatar()).then { user, avatar in show(user, avatar) }
/// ```
///
/// - Fulfils: when every input has, with the values in the order of the inputs; at once for no input.
/// - Fails: with the error of the first input that is rejected.
/// - Cancels: with the first input that is cancelled. A request to cancel counts as one child's request on each input.
/// - Runs on: nothing of yours is run. If the inputs allow it, the promise returned is resolved already.
/// - Parameters:
///   - promise: The inputs, any number of them.
///   - cancelOnFailure: Whether all the inputs are asked to cancel as soon as one is rejected or cancelled.
/// - Complexity: One registration for each input.
@inlinable
public func when<each Value: Sendable, Failure>(
  fulfilled promise: repeat Promise<each Value, Failure>, cancelOnFailure: Bool = false
) -> Promise<(repeat each Value), Failure> {
  let keeper = (repeat ResultKeeper([each promise]))
  var count = 0
  for _ in repeat each promise { count += 1 }
  let (result, resolver) = Promise<(repeat each Value), Failure>.makeWithResolver()
  let gathering = Gathering(resolver: resolver, count: count, cancelOnFailure: cancelOnFailure) {
    (repeat (each keeper).values()[0])
  }
  if count == 0 { gathering.didFulfillAll() }
  // Before any of them can fail, so that all hear of it.
  if cancelOnFailure { repeat gathering.askOnFailure(each promise) }
  var children: [Promise<Never, Never>] = []
  repeat children.append(gathering.register(each promise))
  gathering.onRequestCancel(ask: children)
  return result
}
