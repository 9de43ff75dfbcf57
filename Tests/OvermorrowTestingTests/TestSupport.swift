// The support that all tests share.
@_exported import TestSupport
import Testing

/// Expects that a test would fail, and would say this.
func expectIssue(_ text: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () -> Void) {
  withKnownIssue(sourceLocation: sourceLocation) {
    body()
  } matching: {
    "\($0)".contains(text)
  }
}

/// The same of code that waits.
func expectIssue(
  _ text: String, isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async rethrows {
  try await withKnownIssue(isolation: isolation, sourceLocation: sourceLocation) {
    try await body()
  } matching: {
    "\($0)".contains(text)
  }
}
