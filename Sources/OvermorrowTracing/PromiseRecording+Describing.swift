internal import OvermorrowEngine

extension PromiseRecording: CustomDebugStringConvertible {
  /// Whether the recording has ended, and the numbers of recorded and of omitted events.
  public var debugDescription: String {
    log.state.withLock { log in
      "PromiseRecording(\(log.hasEnded ? "ended" : "running"), \(log.events.count) events, \(log.omitted) omitted)"
    }
  }
}
