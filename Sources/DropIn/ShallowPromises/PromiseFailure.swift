/// Why a promise has failed without its producer's doing.
public enum PromiseFailure: Error {
  /// It was cancelled.
  case cancelled
  /// It took too long.
  case timeout
}
