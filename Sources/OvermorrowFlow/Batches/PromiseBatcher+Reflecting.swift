internal import Overmorrow

extension PromiseBatcher: CustomDebugStringConvertible, CustomReflectable {
  /// The types of the batcher, the state of its latest batch, and the number of calls that wait for this batch.
  public var debugDescription: String {
    let (state, calls) = core.content
    return "PromiseBatcher<\(Key.self), \(Value.self)>(latest batch: \(state), \(calls.counting("call")) waiting)"
  }

  /// The mirror that `dump` and a debugger show: the `state` of the latest batch, and the number `waitingCount` of the
  /// calls that wait for this batch.
  public var customMirror: Mirror {
    let (state, calls) = core.content
    return Mirror(self, children: ["state": state, "waitingCount": calls], displayStyle: .class)
  }
}
