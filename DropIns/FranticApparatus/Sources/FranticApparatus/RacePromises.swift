internal import Overmorrow

/// Returns a promise for the first value. If no promise is fulfilled, the promise returned is rejected with an
/// ``ErrorArray``. The errors in the array are in the order in which the promises were rejected.
public func race<Value, Promises: Collection>(_ promises: Promises) -> Promise<Value>
where Promises.Iterator.Element == Promise<Value> {
  let inputs = Array(promises)
  let first = when(firstFulfilled: inputs.map(\.core))
  return Promise<Value>(
    of: inputs,
    first.mapError(on: .immediate) { error -> any Error in
      ErrorArray(errors: error.finishingOrder.map { error.reasons[$0] ?? PromiseError.unknownReason })
    })
}
