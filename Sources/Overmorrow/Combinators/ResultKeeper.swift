/// Keeps the results of some cores until they are collected, without keeping their handles.
@usableFromInline
final class ResultKeeper<Value: Sendable, Failure: Sendable>: Sendable {
  @usableFromInline let cores: OwnedCores

  @inlinable
  init(_ promises: [Promise<Value, Failure>]) {
    cores = OwnedCores(promises.map { $0.handle.core })
    withExtendedLifetime(promises) {}
  }

  /// The values in order. All the cores have to be fulfilled.
  @inlinable
  func values() -> [Value] {
    cores.all.map { core in
      guard case .value(let value)? = core.result(Value.self, Failure.self) else {
        preconditionFailure("values were collected before all inputs were fulfilled")
      }
      return value
    }
  }

  /// The results in order. All the cores have to be resolved.
  @inlinable
  func results() -> [PromiseResult<Value, Failure>] {
    cores.all.map { core in
      guard let result = core.result(Value.self, Failure.self) else {
        preconditionFailure("results were collected before all inputs were resolved")
      }
      return result
    }
  }
}
