import Overmorrow
// The support that all tests share.
@_exported import OvermorrowTesting
@_exported import TestSupport
import Testing

// What retries, limits, caches and pauses work on here, unless a suite says otherwise.
typealias Subject = Promise<Int, Refusal>
typealias Probe = CancelProbe<Int, Refusal>
typealias Policy = PromiseRetryPolicy<Refusal>

/// What is reported while a closure runs, on a thread that may block.
func diagnostics(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: @escaping @Sendable () -> Void
) async throws -> [PromiseDiagnostic] {
  try await onOwnThread("diagnostics to be collected", sourceLocation: sourceLocation) {
    DiagnosticsProbe.listen { _ in body() }
  }
}
