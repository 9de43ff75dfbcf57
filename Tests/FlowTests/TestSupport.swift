import Overmorrow
// The support that all tests share.
@_exported import OvermorrowTesting
@_exported import TestSupport

// What retries, limits, caches and pauses work on here, unless a suite says otherwise.
typealias Subject = Promise<Int, Refusal>
typealias Probe = CancelProbe<Int, Refusal>
typealias Policy = PromiseRetryPolicy<Refusal>
