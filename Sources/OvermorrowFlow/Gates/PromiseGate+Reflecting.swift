internal import Overmorrow
internal import OvermorrowEngine

extension PromiseGate: CustomDebugStringConvertible, CustomReflectable {
  /// Whether the gate is open, whether its work was asked to cancel, and the number of running promises and async
  /// closures.
  public var debugDescription: String {
    state.withLock { "PromiseGate(\($0.situation), \($0.running) running)" }
  }

  /// The mirror that `dump` and a debugger show: the `state` and the `runningCount` of the gate.
  public var customMirror: Mirror {
    let (situation, running) = state.withLock { ($0.situation, $0.running) }
    return Mirror(self, children: ["state": situation, "runningCount": running], displayStyle: .class)
  }
}

extension GateState {
  /// A description of the phase of the gate.
  fileprivate var situation: String {
    end == nil ? "open" : running > 0 && isCancelling ? "closed, its work is asked to cancel" : "closed"
  }
}
