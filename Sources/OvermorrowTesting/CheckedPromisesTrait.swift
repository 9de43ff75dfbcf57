internal import OvermorrowDiagnostics

#if canImport(Testing)
  internal import Overmorrow
  public import Testing

  /// The trait `.checkedPromises`, which checks the promises that a test makes.
  public struct CheckedPromisesTrait: TestTrait, SuiteTrait, TestScoping {
    /// The longest time that promises may take to resolve after the test has returned.
    public let patience: Duration
    /// Whether a test also fails if a resolved promise is still in memory.
    public let leaks: Bool

    /// Whether a suite's trait also applies to the tests of the suite; always `true`.
    public var isRecursive: Bool { true }

    /// Runs a test, and checks the promises that the test makes.
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      // The suite itself makes no promises.
      guard testCase != nil else { return try await function() }
      let scope = PromiseScope(findsLeaks: leaks, locate: Origin.locate)
      defer { scope.end() }
      try await PromiseScope.$current.withValue(scope) { try await function() }
      await scope.waitUntilClean(within: patience)
      for message in scope.messages { Issue.record(Comment(rawValue: message), sourceLocation: test.sourceLocation) }
    }
  }

  extension Trait where Self == CheckedPromisesTrait {
    /// Fails a test if a promise made in the test stays unresolved, or has an error that no code reads.
    ///
    /// Behaves like ``withPromiseChecks(patience:leaks:isolation:fileID:filePath:line:column:_:)`` around the whole
    /// test, or around each test of a suite.
    public static var checkedPromises: CheckedPromisesTrait { checkedPromises() }

    /// Fails a test if a promise made in the test stays unresolved, or has an error that no code reads.
    ///
    /// - Parameters:
    ///   - patience: The longest time, in real time, that promises may take to resolve after the test has returned.
    ///   - leaks: Whether a test also fails if a resolved promise is still in memory. Such a test must not retain a
    ///     promise on purpose.
    public static func checkedPromises(patience: Duration = .seconds(5), leaks: Bool = false) -> CheckedPromisesTrait {
      CheckedPromisesTrait(patience: patience, leaks: leaks)
    }
  }
#endif
