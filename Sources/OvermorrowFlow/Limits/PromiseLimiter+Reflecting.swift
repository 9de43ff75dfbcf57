internal import Overmorrow
internal import OvermorrowEngine

extension PromiseLimiter: CustomDebugStringConvertible, CustomReflectable {
  /// The width of the limiter, and the numbers of running and waiting jobs.
  public var debugDescription: String {
    state.withLock { "PromiseLimiter(\($0.running) of \($0.width) running, \($0.pending.count) waiting)" }
  }

  /// The mirror that `dump` and a debugger show: the `width`, `runningCount` and `pendingCount` of the limiter.
  public var customMirror: Mirror {
    let (width, running, pending) = state.withLock { ($0.width, $0.running, $0.pending.count) }
    return Mirror(
      self, children: ["width": width, "runningCount": running, "pendingCount": pending], displayStyle: .class)
  }
}
