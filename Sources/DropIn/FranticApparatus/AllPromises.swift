internal import Overmorrow

/// A promise for all the values, in order; rejected with the first error.
public func all<Value, Promises: Collection>(_ promises: Promises) -> Promise<[Value]>
where Promises.Iterator.Element == Promise<Value> {
  let inputs = Array(promises)
  return Promise<[Value]>(of: inputs, when(fulfilled: inputs.map(\.core)).map(on: .immediate) { Kept($0.map(\.value)) })
}

/// A promise for all the values, by key; rejected with the first error.
public func all<Key: SendableMetatype, Value>(_ promises: [Key: Promise<Value>]) -> Promise<[Key: Value]> {
  let (keys, inputs) = (Array(promises.keys), Array(promises.values))
  let byKey = Kept<([Kept<Value>]) -> [Key: Value]>({ values in
    Dictionary(uniqueKeysWithValues: zip(keys, values.map(\.value)))
  })
  return Promise<[Key: Value]>(
    of: inputs, when(fulfilled: inputs.map(\.core)).map(on: .immediate) { Kept(byKey.value($0)) })
}

extension Promise {
  /// A promise that keeps those that it waits for.
  convenience init<Input>(of inputs: [Promise<Input>], _ core: Core) {
    self.init(core, lifetime: PromiseInvalidationToken(), upstream: Upstream(inputs))
  }
}
