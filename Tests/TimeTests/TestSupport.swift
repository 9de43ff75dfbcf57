import Overmorrow
// The support that all tests share.
@_exported import OvermorrowTesting
@_exported import TestSupport

/// What a wait of this thread for a promise throws.
func waitError<Value, Failure>(_ promise: Promise<Value, Failure>) -> PromiseWaitError? {
  do throws(PromiseWaitError) {
    _ = try promise.waitForResult()
    return nil
  } catch {
    return error
  }
}

/// How long a wait of a test may block at most.
let bound = Duration.seconds(isSanitized ? 300 : 60)
