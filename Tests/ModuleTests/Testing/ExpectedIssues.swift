import Testing

/// The recorder of the issues that the running part of a test is expected to record.
private enum ExpectedIssues {
  @TaskLocal static var recorder: Recorder<Issue>?
}

extension Trait where Self == IssueHandlingTrait {
  /// Passes the issues that are recorded in `expectIssue` to that function. All other issues fail the test.
  ///
  /// `withKnownIssue` would count each of these issues at the end of a run, as if the library had known faults.
  static var expectsIssues: Self {
    .compactMapIssues { issue in
      guard let recorder = ExpectedIssues.recorder else { return issue }
      recorder.record(issue)
      return nil
    }
  }
}

/// Expects that `body` records an issue, and that all issues that it records match. The suite has the trait
/// `expectsIssues`.
func expectIssue(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () -> Void, matching: (Issue) -> Bool
) {
  let recorder = Recorder<Issue>()
  ExpectedIssues.$recorder.withValue(recorder, operation: body)
  expect(recorder, matching, sourceLocation)
}

/// Like the function above, for asynchronous code.
func expectIssue(
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void, matching: (Issue) -> Bool
) async rethrows {
  let recorder = Recorder<Issue>()
  try await ExpectedIssues.$recorder.withValue(recorder, operation: body)
  expect(recorder, matching, sourceLocation)
}

/// Expects that `body` records issues, and that each of them contains this text.
func expectIssue(_ text: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () -> Void) {
  expectIssue(sourceLocation: sourceLocation, body) { "\($0)".contains(text) }
}

/// Like the function above, for asynchronous code.
func expectIssue(
  _ text: String, isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async rethrows {
  try await expectIssue(sourceLocation: sourceLocation, body) { "\($0)".contains(text) }
}

private func expect(_ recorder: Recorder<Issue>, _ matching: (Issue) -> Bool, _ sourceLocation: SourceLocation) {
  let issues = recorder.entries
  #expect(!issues.isEmpty, "an issue was expected", sourceLocation: sourceLocation)
  for issue in issues {
    #expect(matching(issue), "another issue was expected: \(issue)", sourceLocation: sourceLocation)
  }
}
