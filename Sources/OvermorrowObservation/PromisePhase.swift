/// What a view shows of a ``PromiseLoad``.
///
/// A cancelled load has no phase of its own. It returns to the phase before the load.
public enum PromisePhase<Value> {
  /// There is neither a value nor an error, and no load is running.
  case idle
  /// A load is running. `previous` is the value that can be shown meanwhile, if there is one.
  case loading(previous: Value?)
  /// There is a value, no error, and no load is running.
  case value(Value)
  /// The newest load has ended with an error. `previous` is the value that can be shown beside it, if there is one.
  case failed(any Error, previous: Value?)

  /// The value that can be shown in this phase.
  public var value: Value? {
    switch self {
    case .idle: nil
    case .value(let value): value
    case .loading(let previous), .failed(_, let previous): previous
    }
  }
}

extension PromisePhase: Sendable where Value: Sendable {}
