internal import Overmorrow

/// A promise for all the values, in order; rejected with the first error.
public func all<Value, Promises: Collection>(_ promises: Promises) -> Promise<[Value]>
where Promises.Iterator.Element == Promise<Value> {
  let inputs = Array(promises)
  return Promise<[Value]>(of: inputs, when(fulfilled: inputs.map(\.core)).map(on: .immediate) { Kept($0.map(\.value)) })
}

/// A promise for all the values, by key; rejected with the first error.
public func all<Key, Value>(_ promises: [Key: Promise<Value>]) -> Promise<[Key: Value]> {
  let (keys, inputs) = (Array(promises.keys), Array(promises.values))
  return Promise<[Key: Value]>(
    of: inputs,
    mapped(when(fulfilled: inputs.map(\.core))) { values in
      Dictionary(uniqueKeysWithValues: zip(keys, values.map(\.value)))
    })
}

/// The same value, as a closure turns it into another one.
///
/// Nothing is asked of the types: what runs anywhere must not use how a key is hashed, unless its type says `Sendable`,
/// which old code does not.
private func mapped<Input, Output>(
  _ core: Overmorrow.Promise<Input, any Error>, _ body: @escaping (Input) -> Output
) -> Promise<Output>.Core {
  let body = Kept(body)
  return core.map(on: .immediate) { Kept(body.value($0)) }
}

extension Promise {
  /// A promise that keeps those that it waits for.
  convenience init<Input>(of inputs: [Promise<Input>], _ core: Core) {
    self.init(core, lifetime: PromiseInvalidationToken(), upstream: Upstream(inputs))
  }
}
