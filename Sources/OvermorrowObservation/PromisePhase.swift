/// What a view shows of a ``PromiseLoad``.
///
/// A cancelled load has no phase of its own. It returns to the phase before the load.
public enum PromisePhase<Value> {
  /// No load has ended yet, and none is running.
  case idle
  /// A load is running. `previous` is the value before the load, if there is one.
  case loading(previous: Value?)
  /// The newest load has ended with a value.
  case value(Value)
  /// The newest load has ended with an error. `previous` is the value before the load, if there is one.
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
