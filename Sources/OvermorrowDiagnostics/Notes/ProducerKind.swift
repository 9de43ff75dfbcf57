/// The kind of code that resolves a promise without a source.
@usableFromInline
package enum ProducerKind: UInt8, Sendable {
  case resolver, timer, task, job, load, attempt, nextAttempt, operation
  /// A combinator that starts its inputs one after another.
  case boundedInputs
  /// The task of a cache's load.
  case asyncLoad
  /// A cache, for callers that have found a stale value.
  case staleWait

  /// Whether a task resolves the promise.
  var isTask: Bool { self == .task || self == .asyncLoad }

  /// What the promise waits for.
  var awaited: String {
    switch self {
    case .resolver: "its resolver"
    case .timer: "a timer"
    case .task, .asyncLoad: "its task"
    case .job: "its turn in a limiter"
    case .load: "the start of its load"
    case .staleWait: "a load, or the end of its soft timeout"
    case .attempt: "the start of an attempt"
    case .nextAttempt: "the delay before the next attempt"
    case .operation: "its operation"
    case .boundedInputs: "its inputs"
    }
  }
}
