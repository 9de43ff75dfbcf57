internal import Overmorrow

/// Returns a promise for the values of all promises, in the order of the promises. The promise returned is rejected
/// with the first error.
public func all<Value, Promises: Collection>(_ promises: Promises) -> Promise<[Value]>
where Promises.Iterator.Element == Promise<Value> {
  let inputs = Array(promises)
  return Promise<[Value]>(of: inputs, when(fulfilled: inputs.map(\.core)).map(on: .immediate) { Kept($0.map(\.value)) })
}

/// Returns a promise for the values of all promises, by key. The promise returned is rejected with the first error.
public func all<Key, Value>(_ promises: [Key: Promise<Value>]) -> Promise<[Key: Value]> {
  let (keys, inputs) = (Array(promises.keys), Array(promises.values))
  return Promise<[Key: Value]>(
    of: inputs,
    mapped(when(fulfilled: inputs.map(\.core))) { values in
      Dictionary(uniqueKeysWithValues: zip(keys, values.map(\.value)))
    })
}

/// Transforms the value with a closure.
///
/// A `@Sendable` closure must not use the `Hashable` conformance of a key whose type is not `Sendable`, and old code
/// does not declare its types `Sendable`. The closure is therefore wrapped in a `Kept`.
private func mapped<Input, Output>(
  _ core: Overmorrow.Promise<Input, any Error>, _ body: @escaping (Input) -> Output
) -> Promise<Output>.Core {
  let body = Kept(body)
  return core.map(on: .immediate) { Kept(body.value($0)) }
}

extension Promise {
  /// Creates a promise that retains its inputs until it is resolved.
  convenience init<Input>(of inputs: [Promise<Input>], _ core: Core) {
    let (lifetime, upstream) = (PromiseInvalidationToken(), Upstream(inputs))
    let next = core.mapResult(on: .immediate, token: lifetime) { result in
      upstream.release()
      return result
    }
    self.init(next, lifetime: lifetime, upstream: upstream)
  }
}
