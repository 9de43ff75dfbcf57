/// A failure that does not come from the producer.
public enum PromiseFailure: Error {
  /// The promise was cancelled.
  case cancelled
  /// The promise timed out.
  case timeout
}
