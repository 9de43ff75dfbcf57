internal import Overmorrow

extension PromisePause: CustomDebugStringConvertible, CustomReflectable {
  /// Whether the pause is suspended, by itself or by its outer pause, and the numbers of waiting callbacks and of
  /// attached work.
  public var debugDescription: String {
    let content = line.content
    let work = content.works == 0 ? "" : ", \(content.works) attached"
    return "PromisePause(\(content.state), \(content.callbacks.counting("callback")) waiting\(work))"
  }

  /// The mirror that `dump` and a debugger show: the `state` of the pause, and the numbers `waitingCount` of callbacks
  /// and `attachedCount` of attached work.
  public var customMirror: Mirror {
    let content = line.content
    return Mirror(
      self, children: ["state": content.state, "waitingCount": content.callbacks, "attachedCount": content.works],
      displayStyle: .class)
  }
}
