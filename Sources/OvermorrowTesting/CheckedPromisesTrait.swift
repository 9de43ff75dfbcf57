#if canImport(Testing)
  internal import Overmorrow
  public import Testing

  /// Checks the promises that a test makes: `.checkedPromises`.
  public struct CheckedPromisesTrait: TestTrait, SuiteTrait, TestScoping {
    /// How long promises may still take to resolve after the test has returned.
    public let patience: Duration
    /// Whether a test also fails if a resolved promise is still in memory.
    public let leaks: Bool

    /// Whether the tests of a suite have the trait that the suite has: always.
    public var isRecursive: Bool { true }

    /// Runs a test with checks.
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      // A suite as a whole makes no promises.
      guard testCase != nil else { return try await function() }
      let scope = PromiseScope(findsLeaks: leaks, locate: Origin.locate)
      defer { scope.close() }
      try await PromiseScope.$current.withValue(scope) { try await function() }
      await scope.becomesClean(within: patience)
      for message in scope.messages { Issue.record(Comment(rawValue: message), sourceLocation: test.sourceLocation) }
    }
  }

  extension Trait where Self == CheckedPromisesTrait {
    /// Fails a test if a promise made in it stays unresolved, or is rejected and no code reads the error.
    ///
    /// As ``withPromiseChecks(patience:leaks:isolation:fileID:filePath:line:column:_:)`` around the whole test; for a
    /// suite, around each of its tests.
    public static var checkedPromises: CheckedPromisesTrait { checkedPromises() }

    /// Fails a test if a promise made in it stays unresolved, or is rejected and no code reads the error.
    ///
    /// - Parameters:
    ///   - patience: How long promises may still take to resolve, in real time, after the test has returned.
    ///   - leaks: Whether a test also fails if a resolved promise is still in memory. Then it must not keep any on
    ///     purpose.
    public static func checkedPromises(patience: Duration = .seconds(5), leaks: Bool = false) -> CheckedPromisesTrait {
      CheckedPromisesTrait(patience: patience, leaks: leaks)
    }
  }
#endif
