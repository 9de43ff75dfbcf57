internal import Overmorrow

/// Runs a closure, and fails the test if a promise made in it is unresolved when it returns, or was rejected and no
/// code has read the error.
///
/// ```swift
/// withPromiseChecks {
///   let answer = Promise<Int, any Error>(on: .immediate) { _ in throw NoAnswer() }
///   answer.then(on: .immediate) { print($0) }
/// }
/// // fails the test: a promise was rejected, and nobody looked at the error; it was made at QuestionTests.swift:12
/// ```
///
/// Checked are the promises that the closure makes, those that their bodies and callbacks make, and all that is derived
/// from them, on any thread; not those made by work that the closure hands to a queue itself, nor those made outside. A
/// promise that is kept by a cycle of references stays unresolved, and so is found.
///
/// An error counts as read when a callback that takes errors has got it, anywhere down any chain that it was passed on
/// to, or a combinator; or when `result` was read, as the expectations of this module do. After a request to cancel it
/// does not matter.
///
/// Scopes may nest, and tests may run side by side: a promise belongs to the innermost scope.
///
/// - Parameters:
///   - leaks: Whether the test also fails if a resolved promise is still in memory. Then the closure must not keep any
///     on purpose, in itself or outside.
///   - body: Run once. All that it has started has to be done when it returns; the form whose closure is async, or that
///     is told its `patience`, waits.
///   - fileID: The test's file.
///   - filePath: The test's file.
///   - line: The test's line.
///   - column: The test's column.
/// - Returns: What the closure has returned.
/// - Throws: What the closure has thrown; then there are no checks.
@discardableResult
public func withPromiseChecks<R, E: Error>(
  leaks: Bool = false, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column,
  _ body: () throws(E) -> R
) throws(E) -> R {
  let scope = PromiseScope(findsLeaks: leaks, locate: Origin.locate)
  defer { scope.close() }
  let value = try PromiseScope.run(in: scope, body)
  TestFailure(fileID, filePath, line, column).record(scope)
  return value
}

/// Runs a closure, and fails the test if a promise made in it stays unresolved, or was rejected and no code has read
/// the error.
///
/// What is checked is told with the form for code that is not async. Tasks that the closure starts with `Task { }` are
/// part of it, detached ones are not.
///
/// - Parameters:
///   - patience: How long promises may still take to resolve, in real time, after the closure has returned. As soon as
///     nothing is wrong, the wait is over.
///   - leaks: Whether the test also fails if a resolved promise is still in memory. Then the closure must not keep any
///     on purpose, in itself or outside.
///   - body: Run once, with the isolation of the caller.
///   - isolation: The caller's.
///   - fileID: The test's file.
///   - filePath: The test's file.
///   - line: The test's line.
///   - column: The test's column.
/// - Returns: What the closure has returned.
/// - Throws: What the closure has thrown; then there are no checks.
@discardableResult
public func withPromiseChecks<R, E: Error>(
  patience: Duration = .seconds(5), leaks: Bool = false, isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ body: () async throws(E) -> R
) async throws(E) -> R {
  let scope = PromiseScope(findsLeaks: leaks, locate: Origin.locate)
  defer { scope.close() }
  let result = await PromiseScope.$current.withValue(scope) { () async -> Result<R, E> in
    do throws(E) { return .success(try await body()) } catch { return .failure(error) }
  }
  let value = try result.get()
  await scope.becomesClean(within: patience)
  TestFailure(fileID, filePath, line, column).record(scope)
  return value
}

extension TestFailure {
  /// Fails the test for each thing that is wrong.
  func record(_ scope: PromiseScope) {
    for message in scope.messages { record(message) }
  }
}

extension PromiseScope {
  /// What is wrong, each thing in words, and what the promises wait for that have not resolved.
  var messages: [String] {
    let diagnostics = diagnostics
    let first = diagnostics.firstIndex { if case .neverResolved = $0 { true } else { false } }
    return diagnostics.enumerated().map { $1.description + ($0 == first ? pending.onNewLines : "") }
  }

  /// Waits until nothing is wrong, with a bound in real time.
  ///
  /// It polls at growing intervals: observing the promises would change what it checks.
  func becomesClean(within bound: Duration) async {
    let deadline = ContinuousClock.now.advanced(by: bound.asWait)
    var pause = Duration.milliseconds(1)
    while !isClean, ContinuousClock.now < deadline {
      do { try await Task.sleep(for: pause) } catch { return }
      pause = min(pause * 2, .milliseconds(50))
    }
  }
}
