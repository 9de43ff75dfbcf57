/// A promise for what becomes of each of several promises, by their keys. It never fails.
///
/// - Fulfils: when every input has finished, with the results under the keys of the inputs; at once for no input.
/// - Cancels: never by itself. A request to cancel counts as one child's request on each input.
/// - Runs on: nothing of yours is run. If the inputs allow it, the promise returned is resolved already.
/// - Parameter promises: The inputs.
/// - Complexity: One registration for each input.
@inlinable
public func when<Key: Sendable, Value, Failure>(
  settled promises: [Key: Promise<Value, Failure>]
) -> Promise<[Key: PromiseResult<Value, Failure>], Never> {
  let keys = Array(promises.keys)
  return when(settled: Array(promises.values))
    .map(on: .immediate) { Dictionary(uniqueKeysWithValues: zip(keys, $0)) }
}
