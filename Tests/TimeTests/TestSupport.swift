import Overmorrow
// Re-exports the support code that all tests share.
@_exported import OvermorrowTesting
@_exported import TestSupport

/// Blocks for a promise and returns the error that the wait throws.
func waitError<Value, Failure>(_ promise: Promise<Value, Failure>) -> PromiseWaitError? {
  do throws(PromiseWaitError) {
    _ = try promise.waitForResult()
    return nil
  } catch {
    return error
  }
}

/// The time limit for blocking waits.
let bound = Duration.seconds(isSanitized ? 300 : 60)
