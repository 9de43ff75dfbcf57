internal import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// Runs a closure, and then fails the test if a promise made in the closure is unresolved or has an error that no code
/// has read.
///
/// ```swift
/// withPromiseChecks {
///   let answer = Promise<Int, any Error>(on: .immediate) { _ in throw NoAnswer() }
///   answer.then(on: .immediate) { print($0) }
/// }
/// // fails the test: a promise was rejected, and no code read the error; it was made at Tests/QuestionTests.swift:12
/// ```
///
/// The checks cover the promises that the closure makes, and the promises that the bodies and callbacks of these
/// promises make. They also cover all promises derived from any of these promises, on any thread. The checks do not
/// cover promises that are made outside the closure, or by work that the closure itself submits to a queue. If a
/// reference cycle retains the resolver of a promise, the promise stays unresolved, so the checks find the promise.
///
/// An error counts as read when a combinator or a callback that takes errors has received the error. The callback may
/// be at any distance down the chain. An error also counts as read when code has read `result`. The expectations of
/// this module read `result`. An error that comes after a request to cancel is not reported.
///
/// Scopes may be nested, and tests may run concurrently. A promise belongs to the innermost scope.
///
/// - Parameters:
///   - leaks: Whether the test also fails if a resolved promise is still in memory. If so, the closure must not retain
///     a promise on purpose, in its own variables or elsewhere.
///   - body: The closure, which is run once. The work that the closure starts must have ended when the closure returns.
///     The form with `patience` waits for that work. That form also takes an async closure.
///   - fileID: The test's file.
///   - filePath: The test's file.
///   - line: The test's line.
///   - column: The test's column.
/// - Returns: The value that the closure returns.
/// - Throws: The error that the closure throws. If the closure throws, there are no checks.
@discardableResult
public func withPromiseChecks<R, E: Error>(
  leaks: Bool = false, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column,
  _ body: () throws(E) -> R
) throws(E) -> R {
  let scope = PromiseScope(findsLeaks: leaks, locate: Origin.locate)
  defer { scope.end() }
  let value = try PromiseScope.run(in: scope, body)
  TestFailure(fileID, filePath, line, column).record(scope)
  return value
}

/// Runs a closure, and then fails the test if a promise made in the closure stays unresolved or has an error that no
/// code has read.
///
/// This form makes the same checks as the form for code that is not async. The checks of this form also cover tasks
/// that the closure starts with `Task.init`, but not detached tasks.
///
/// - Parameters:
///   - patience: The longest time, in real time, that promises may take to resolve after the closure has returned. The
///     wait ends as soon as there is no problem.
///   - leaks: Whether the test also fails if a resolved promise is still in memory. If so, the closure must not retain
///     a promise on purpose, in its own variables or elsewhere.
///   - body: The closure, which is run once, with the isolation of the caller.
///   - isolation: The isolation of the caller.
///   - fileID: The test's file.
///   - filePath: The test's file.
///   - line: The test's line.
///   - column: The test's column.
/// - Returns: The value that the closure returns.
/// - Throws: The error that the closure throws. If the closure throws, there are no checks.
@discardableResult
public func withPromiseChecks<R, E: Error>(
  patience: Duration = .seconds(5), leaks: Bool = false, isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ body: () async throws(E) -> R
) async throws(E) -> R {
  let scope = PromiseScope(findsLeaks: leaks, locate: Origin.locate)
  defer { scope.end() }
  let result = await PromiseScope.$current.withValue(scope) { () async -> Result<R, E> in
    do throws(E) { return .success(try await body()) } catch { return .failure(error) }
  }
  let value = try result.get()
  await scope.waitUntilClean(within: patience)
  TestFailure(fileID, filePath, line, column).record(scope)
  return value
}

extension TestFailure {
  /// Fails the test once for each problem of a scope.
  func record(_ scope: PromiseScope) {
    for message in scope.messages { record(message) }
  }
}

extension PromiseScope {
  /// A message for each problem. The first message about an unresolved promise also lists what the unresolved promises
  /// wait for.
  var messages: [String] {
    let findings = findings
    let first = findings.firstIndex { if case .neverResolved = $0 { true } else { false } }
    return findings.enumerated().map { $1.description + ($0 == first ? pending.onNewLines : "") }
  }

  /// Waits until there is no problem, for at most a bound in real time.
  ///
  /// The call polls at growing intervals, because observing the promises would change what is checked.
  func waitUntilClean(within bound: Duration) async {
    let deadline = ContinuousClock.now.advanced(by: bound.asWait)
    var pause = Duration.milliseconds(1)
    while !isClean, ContinuousClock.now < deadline {
      do { try await Task.sleep(for: pause) } catch { return }
      pause = min(pause * 2, .milliseconds(50))
    }
  }
}
