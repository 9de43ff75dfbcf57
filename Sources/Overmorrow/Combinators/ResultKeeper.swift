public import OvermorrowEngine

/// The cores of the inputs of a combinator. The keeper retains the cores, and so their results, until the results are
/// collected. The keeper does not retain the handles of the promises.
@usableFromInline
final class ResultKeeper<Value: Sendable, Failure: Sendable>: Sendable {
  @usableFromInline let cores: OwnedCores

  @inlinable
  init(_ promises: [Promise<Value, Failure>]) {
    cores = OwnedCores(promises.map { $0.handle.core })
    withExtendedLifetime(promises) {}
  }

  /// Returns the values, in the order of the inputs. All cores must be fulfilled.
  @inlinable
  func values() -> [Value] {
    cores.all.map { core in
      guard case .value(let value)? = core.result(as: PromiseResult<Value, Failure>.self) else {
        preconditionFailure("values were collected before all inputs were fulfilled")
      }
      return value
    }
  }

  /// Returns the results, in the order of the inputs. All cores must be resolved.
  @inlinable
  func results() -> [PromiseResult<Value, Failure>] {
    cores.all.map { core in
      guard let result = core.result(as: PromiseResult<Value, Failure>.self) else {
        preconditionFailure("results were collected before all inputs were resolved")
      }
      return result
    }
  }
}
