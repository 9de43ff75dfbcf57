import Overmorrow
// The support that all tests share.
@_exported import TestSupport

/// An input of a combinator, unless a test says otherwise.
typealias Input = CancelProbe<Int, Flaw>

/// How often each input was asked to cancel.
func requests(_ inputs: [Input]) -> [Int] { inputs.map(\.requestCount) }
