import Overmorrow
// Re-exports the support code that all tests share.
@_exported import OvermorrowTesting
@_exported import TestSupport

/// The default type of promises for operators and contexts in these tests.
typealias Subject = Promise<Int, Reason>

/// The default input of a combinator in these tests.
typealias Input = CancelProbe<Int, Flaw>

/// Returns the number of requests to cancel that each input has received.
func requests(_ inputs: [Input]) -> [Int] { inputs.map(\.requestCount) }

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
