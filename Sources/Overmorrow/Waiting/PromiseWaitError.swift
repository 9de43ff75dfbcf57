/// The reason why a blocking wait ended before the promise was resolved.
///
/// Two errors are equal if they are the same case, whatever their details are.
public enum PromiseWaitError: Error {
  /// The promise was not resolved before the timeout.
  ///
  /// - Parameter details: A text that names the promise and what the promise waits for; `nil` if the promise is not
  ///   watched. By default, promises are watched only in debug builds.
  case timedOut(details: String?)
  /// The promise needs work that can run only on the queue or the thread that the wait blocks.
  ///
  /// - Parameter details: A text that names the promise and what the promise waits for; `nil` if the promise is not
  ///   watched. By default, promises are watched only in debug builds.
  case deadlock(details: String?)
}

extension PromiseWaitError {
  /// An error without details, for a wait that reached its timeout.
  public static var timedOut: PromiseWaitError { .timedOut(details: nil) }
  /// An error without details, for a wait that would never end.
  public static var deadlock: PromiseWaitError { .deadlock(details: nil) }

  private var isDeadlock: Bool { if case .deadlock = self { true } else { false } }
}

extension PromiseWaitError: Hashable {
  /// Returns whether both errors are the same case.
  public static func == (first: PromiseWaitError, second: PromiseWaitError) -> Bool {
    first.isDeadlock == second.isDeadlock
  }

  /// Hashes the case.
  public func hash(into hasher: inout Hasher) { hasher.combine(isDeadlock) }
}

extension PromiseWaitError: CustomStringConvertible {
  /// A description of what happened, with the details if there are any.
  public var description: String {
    switch self {
    case .timedOut(let details): "the wait for a promise timed out" + (details.map { ": \($0)" } ?? "")
    case .deadlock(let details):
      "the wait for a promise blocks the queue or thread on which its work has to run"
        + (details.map { ": \($0)" } ?? "")
    }
  }
}
