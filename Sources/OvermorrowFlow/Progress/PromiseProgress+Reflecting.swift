internal import Overmorrow
internal import OvermorrowEngine

extension PromiseProgress: CustomDebugStringConvertible, CustomReflectable {
  /// The numbers of completed units and of all units, whether the progress has ended, and the number of observers.
  public var debugDescription: String {
    let (step, observers) = state.withLock { ($0.step, $0.observers.count) }
    let units = "\(step.completed) of \(step.total.map { "\($0)" } ?? "an unknown number")"
    return "PromiseProgress(\(units), \(step.isFinished ? "ended" : observers.counting("observer")))"
  }

  /// The mirror that `dump` and a debugger show: the `current` step, and the number of observers, `observerCount`.
  public var customMirror: Mirror {
    let (step, observers) = state.withLock { ($0.step, $0.observers.count) }
    return Mirror(self, children: ["current": step, "observerCount": observers], displayStyle: .class)
  }
}
