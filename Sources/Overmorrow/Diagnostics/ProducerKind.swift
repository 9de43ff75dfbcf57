/// The kind of code that resolves a promise without a source. The raw value says what the promise waits for.
@usableFromInline
package enum ProducerKind: String, Sendable {
  case resolver = "its resolver"
  case timer = "a timer"
  case task = "its task"
  case job = "its turn in a limiter"
  case load = "the start of its load"
  case attempt = "the start of an attempt"
  case nextAttempt = "the delay before the next attempt"
  case operation = "its operation"
  /// A combinator that starts its inputs one after another.
  case boundedInputs = "its inputs"
}
