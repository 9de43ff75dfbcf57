internal import Overmorrow

/// Runs a closure, and fails the test if a promise made in it is unresolved when the closure returns, or was rejected
/// and no code has read the error.
///
/// ```swift
/// withPromiseChecks {
///   let answer = Promise<Int, any Error>(on: .immediate) { _ in throw NoAnswer() }
///   answer.then(on: .immediate) { print($0) }
/// }
/// // fails the test: a promise was rejected, and no code read the error; it was made at QuestionTests.swift:12
/// ```
///
/// The checks cover the promises that the closure makes, those that their bodies and callbacks make, and all promises
/// derived from these, on any thread. They do not cover promises made outside the closure, or by work that the closure
/// itself submits to a queue. A promise that is retained by a reference cycle stays unresolved, and is therefore found.
///
/// An error counts as read when a callback that takes errors, at any distance down a chain, or a combinator has
/// received it. It also counts as read when `result` has been read, as the expectations of this module do. An error
/// that comes after a request to cancel is not reported.
///
/// Scopes may be nested, and tests may run concurrently. A promise belongs to the innermost scope.
///
/// - Parameters:
///   - leaks: Whether the test also fails if a resolved promise is still in memory. The closure must then not retain a
///     promise on purpose, in its own variables or elsewhere.
///   - body: Run once. The work that it starts must have ended when it returns. The form with `patience`, which also
///     takes an async closure, waits for that work.
///   - fileID: The test's file.
///   - filePath: The test's file.
///   - line: The test's line.
///   - column: The test's column.
/// - Returns: The value that the closure returns.
/// - Throws: The error that the closure throws. There are then no checks.
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
/// The checks are the same as those of the form for code that is not async. They cover tasks that the closure starts
/// with `Task.init`, but not detached tasks.
///
/// - Parameters:
///   - patience: The longest time, in real time, that promises may take to resolve after the closure has returned. The
///     wait ends as soon as there is no problem.
///   - leaks: Whether the test also fails if a resolved promise is still in memory. The closure must then not retain a
///     promise on purpose, in its own variables or elsewhere.
///   - body: Run once, with the isolation of the caller.
///   - isolation: The isolation of the caller.
///   - fileID: The test's file.
///   - filePath: The test's file.
///   - line: The test's line.
///   - column: The test's column.
/// - Returns: The value that the closure returns.
/// - Throws: The error that the closure throws. There are then no checks.
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
  await scope.waitUntilClean(within: patience)
  TestFailure(fileID, filePath, line, column).record(scope)
  return value
}

extension TestFailure {
  /// Fails the test once for each problem.
  func record(_ scope: PromiseScope) {
    for message in scope.messages { record(message) }
  }
}

extension PromiseScope {
  /// A message for each problem. The first one about an unresolved promise is followed by what the unresolved promises
  /// wait for.
  var messages: [String] {
    let diagnostics = diagnostics
    let first = diagnostics.firstIndex { if case .neverResolved = $0 { true } else { false } }
    return diagnostics.enumerated().map { $1.description + ($0 == first ? pending.onNewLines : "") }
  }

  /// Waits until there is no problem, for at most a bound in real time.
  ///
  /// It polls at growing intervals: observing the promises would change what it checks.
  func waitUntilClean(within bound: Duration) async {
    let deadline = ContinuousClock.now.advanced(by: bound.asWait)
    var pause = Duration.milliseconds(1)
    while !isClean, ContinuousClock.now < deadline {
      do { try await Task.sleep(for: pause) } catch { return }
      pause = min(pause * 2, .milliseconds(50))
    }
  }
}
