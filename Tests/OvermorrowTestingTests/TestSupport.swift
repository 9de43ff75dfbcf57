// Re-exports the support code that all tests share.
@_exported import TestSupport
import Testing

/// Expects that `body` records an issue with this text.
func expectIssue(_ text: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () -> Void) {
  withKnownIssue(sourceLocation: sourceLocation) {
    body()
  } matching: {
    "\($0)".contains(text)
  }
}

/// Like the function above, for asynchronous code.
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
