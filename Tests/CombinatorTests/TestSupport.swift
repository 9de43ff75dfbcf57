import Overmorrow
// Re-exports the support code that all tests share.
@_exported import TestSupport

/// The default input of a combinator in these tests.
typealias Input = CancelProbe<Int, Flaw>

/// Returns the number of requests to cancel that each input has received.
func requests(_ inputs: [Input]) -> [Int] { inputs.map(\.requestCount) }
