/// Why a blocking wait has ended before the promise resolved.
public enum PromiseWaitError: Error, Hashable {
  /// The time was up.
  case timedOut
  /// The promise waits for work that can only run where the wait blocks.
  case deadlock
}

extension PromiseWaitError: CustomStringConvertible {
  /// What happened, in words.
  public var description: String {
    switch self {
    case .timedOut: "the wait for a promise timed out"
    case .deadlock: "the wait for a promise blocks the very queue that its work has to run on"
    }
  }
}
