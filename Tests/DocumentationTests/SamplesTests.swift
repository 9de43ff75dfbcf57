import Foundation
import Testing

/// The samples of the README, the guides and the documentation comments are code that the tests here compile and run, line by line.
///
/// Imports, blank lines, indentation and `private` do not count, nor do expectations between the lines of a sample. A
/// manifest, which is not code of this module, is left out.
@Suite(.inTurn) struct SamplesTests {
  struct Page: Sendable, CustomTestStringConvertible {
    /// Where the text is, from the root of the package.
    let text: String
    /// Where its samples are compiled, beside this file.
    let tests: String

    var testDescription: String { text }
  }

  private static let guides = "Sources/Overmorrow/Overmorrow.docc/"

  private static let module = "Sources/Overmorrow/"

  private static let foundationModule = "Sources/OvermorrowFoundation/"

  private static let network = "../OvermorrowFoundationTests/Network/NetworkGuideTests.swift"

  private static let operations = "../OvermorrowFoundationTests/Operations/OperationsGuideTests.swift"

  private static let testingModule = "Sources/OvermorrowTesting/"

  private static let tracingModule = "Sources/OvermorrowTracing/"

  private static let tracing = "../OvermorrowTracingTests/TracingSamplesTests.swift"

  private static let testing = "../OvermorrowTestingTests/TestingGuideTests.swift"

  private static let bridges = "Sources/Integrations/"

  private static let integrations = "../Integrations/Tests/IntegrationTests/IntegrationsGuideTests.swift"

  static let pages = [
    Page(text: "README.md", tests: "ReadmeTests.swift"),
    Page(text: guides + "Overmorrow.md", tests: "ReadmeTests.swift"),
    Page(text: guides + "GettingStarted.md", tests: "GettingStartedGuideTests.swift"),
    Page(text: guides + "Contexts.md", tests: "ContextsGuideTests.swift"),
    Page(text: guides + "AsyncAwait.md", tests: "AsyncAwaitGuideTests.swift"),
    Page(text: guides + "Cancellation.md", tests: "CancellationGuideTests.swift"),
    Page(text: guides + "InvalidationTokens.md", tests: "InvalidationTokensGuideTests.swift"),
    Page(text: guides + "Combining.md", tests: "CombiningGuideTests.swift"),
    Page(text: guides + "Time.md", tests: "TimeGuideTests.swift"),
    Page(text: guides + "Retry.md", tests: "RetryGuideTests.swift"),
    Page(text: guides + "Limiting.md", tests: "LimitingGuideTests.swift"),
    Page(text: guides + "Sharing.md", tests: "SharingGuideTests.swift"),
    Page(text: guides + "Owners.md", tests: "OwnersGuideTests.swift"),
    Page(text: guides + "LatestOnly.md", tests: "LatestOnlyGuideTests.swift"),
    Page(text: guides + "BlockingWaits.md", tests: "BlockingWaitsGuideTests.swift"),
    Page(text: guides + "Suspending.md", tests: "SuspendingGuideTests.swift"),
    Page(text: guides + "NeverResolves.md", tests: "NeverResolvesGuideTests.swift"),
    Page(text: guides + "Progress.md", tests: "ProgressGuideTests.swift"),
    Page(text: guides + "Integrations.md", tests: integrations),
    Page(text: bridges + "OvermorrowLogging/Logger+Diagnostics.swift", tests: integrations),
    Page(text: bridges + "OvermorrowAsyncHTTPClient/AsyncHTTPClientTransport.swift", tests: integrations),
    Page(text: module + "Concurrency/PromiseContext+TaskLocal.swift", tests: integrations),
    Page(text: "Documentation/0003-tail-called-adoption.md", tests: "DecisionTests.swift"),
    Page(text: module + "Promise/Promise.swift", tests: "CommentSamplesTests.swift"),
    Page(text: module + "Promise/Resolver+CompletionHandler.swift", tests: "CommentSamplesTests.swift"),
    Page(text: module + "Promise/LazyPromise.swift", tests: "CommentSamplesTests.swift"),
    Page(text: module + "Cancellation/Promise+PropagatingCancellation.swift", tests: "CancellationGuideTests.swift"),
    Page(text: module + "Tokens/PromiseInvalidationToken.swift", tests: "CommentSamplesTests.swift"),
    Page(text: module + "Decorated/TokenPromise.swift", tests: "CommentSamplesTests.swift"),
    Page(text: module + "Combinators/WhenFirst.swift", tests: "CombinatorSamplesTests.swift"),
    Page(text: module + "Combinators/WhenFirstFulfilled.swift", tests: "CombinatorSamplesTests.swift"),
    Page(text: module + "Combinators/WhenFulfilled.swift", tests: "CombinatorSamplesTests.swift"),
    Page(text: module + "Combinators/WhenFulfilledBounded.swift", tests: "CombinatorSamplesTests.swift"),
    Page(text: module + "Combinators/WhenFulfilledDictionary.swift", tests: "CombinatorSamplesTests.swift"),
    Page(text: module + "Combinators/WhenFulfilledTuple.swift", tests: "CombinatorSamplesTests.swift"),
    Page(text: module + "Combinators/WhenSettled.swift", tests: "CombinatorSamplesTests.swift"),
    Page(text: module + "Concurrency/AsyncSequence+FirstPromise.swift", tests: "AsyncCommentSamplesTests.swift"),
    Page(text: module + "Concurrency/PromiseCompletionOrder.swift", tests: "AsyncCommentSamplesTests.swift"),
    Page(text: module + "Concurrency/Promise+Async.swift", tests: "AsyncCommentSamplesTests.swift"),
    Page(text: module + "Concurrency/Promise+Awaiting.swift", tests: "AsyncCommentSamplesTests.swift"),
    Page(text: module + "Contexts/PromiseExecutor.swift", tests: "CommentSamplesTests.swift"),
    Page(text: module + "Flow/Promise+Retry.swift", tests: "RetryGuideTests.swift"),
    Page(text: module + "Flow/PromiseRetryPolicy.swift", tests: "RetryGuideTests.swift"),
    Page(text: module + "Flow/PromiseRetryBackoff.swift", tests: "RetryGuideTests.swift"),
    Page(text: module + "Flow/PromiseLimiter.swift", tests: "LimitingGuideTests.swift"),
    Page(text: module + "Flow/PromiseCache.swift", tests: "SharingGuideTests.swift"),
    Page(text: module + "Flow/PromisePause.swift", tests: "SuspendingGuideTests.swift"),
    Page(text: module + "Progress/PromiseProgress.swift", tests: "ProgressGuideTests.swift"),
    Page(text: module + "Progress/PromiseProgress+Combining.swift", tests: "ProgressGuideTests.swift"),
    Page(text: module + "Decorated/BoundPromise.swift", tests: "OwnersGuideTests.swift"),
    Page(text: module + "Cancellation/PromiseCancellable.swift", tests: "OwnersGuideTests.swift"),
    Page(text: module + "Waiting/Promise+Waiting.swift", tests: "BlockingWaitsGuideTests.swift"),
    Page(text: module + "Time/Promise+Timeout.swift", tests: "TimeGuideTests.swift"),
    Page(text: module + "Time/PromiseSchedulingClock.swift", tests: testing),
    Page(text: module + "Transforms/Promise+FlatMap.swift", tests: "GettingStartedGuideTests.swift"),
    Page(text: module + "Transforms/Promise+Recover.swift", tests: "CommentSamplesTests.swift"),
    Page(text: foundationModule + "OvermorrowFoundation.docc/OvermorrowFoundation.md", tests: network),
    Page(text: foundationModule + "OvermorrowFoundation.docc/Network.md", tests: network),
    Page(text: foundationModule + "OvermorrowFoundation.docc/Operations.md", tests: operations),
    Page(text: foundationModule + "Network/NetworkError.swift", tests: network),
    Page(text: foundationModule + "Network/NetworkSession.swift", tests: network),
    Page(text: foundationModule + "Network/NetworkSession+Fetch.swift", tests: network),
    Page(text: foundationModule + "Network/NetworkSession+Upload.swift", tests: network),
    Page(text: foundationModule + "Network/NetworkTask.swift", tests: network),
    Page(text: foundationModule + "Network/HTTPResponse.swift", tests: network),
    Page(text: foundationModule + "Network/HTTPTransport.swift", tests: network),
    Page(text: foundationModule + "Network/PromiseRetryPolicy+HTTP.swift", tests: network),
    Page(text: foundationModule + "Network/StubTransport.swift", tests: network),
    Page(text: foundationModule + "Network/URLRequestConvertible.swift", tests: network),
    Page(text: foundationModule + "Operations/PromiseOperation.swift", tests: operations),
    Page(
      text: "Sources/DropIn/PromiseQBase/Promise.swift", tests: "../PromiseQTests/InferenceTests.swift"),
    Page(text: testingModule + "OvermorrowTesting.docc/OvermorrowTesting.md", tests: testing),
    Page(text: testingModule + "OvermorrowTesting.docc/TestingPromises.md", tests: testing),
    Page(text: testingModule + "ManualContext.swift", tests: testing),
    Page(text: tracingModule + "OvermorrowTracing.docc/OvermorrowTracing.md", tests: tracing),
    Page(text: tracingModule + "PromiseRecording.swift", tests: tracing),
    Page(text: testingModule + "PromiseChecks.swift", tests: testing),
    Page(text: testingModule + "TestClock.swift", tests: testing),
  ]

  @Test("18.4 every sample of a page is code of the test file that mirrors it", arguments: pages)
  func inStep(page: Page) throws {
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    let root = here.deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: page.text), encoding: .utf8)
    let code = lines(try String(contentsOf: here.appending(path: page.tests), encoding: .utf8))
    let samples = samples(text)
    #expect(!samples.isEmpty, "\(page.text) has no sample")
    for sample in samples {
      #expect(
        code.firstRange(of: sample) != nil,
        "\(page.tests) does not have this sample of \(page.text):\n\(sample.joined(separator: "\n"))")
    }
  }

  /// The Swift code between fences, but for manifests.
  private func samples(_ text: String) -> [[String]] {
    text.components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
      .filter { !$0.hasPrefix("// swift-tools-version") }
      .map(lines)
  }

  /// What counts of each line.
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .map { $0.hasPrefix("///") ? $0.dropFirst(3).trimmingCharacters(in: .whitespaces) : $0 }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") && !$0.hasPrefix("#expect(") }
      .map { $0.hasPrefix("private ") ? String($0.dropFirst("private ".count)) : $0 }
  }
}
