/// The reason why a blocking wait ended before the promise was resolved.
public enum PromiseWaitError: Error, Hashable {
  /// The promise was not resolved before the timeout.
  case timedOut
  /// The promise needs work that can run only on the queue or the thread that the wait blocks.
  case deadlock
}

extension PromiseWaitError: CustomStringConvertible {
  /// A description of what happened.
  public var description: String {
    switch self {
    case .timedOut: "the wait for a promise timed out"
    case .deadlock: "the wait for a promise blocks the queue or thread on which its work has to run"
    }
  }
}
