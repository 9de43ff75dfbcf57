public import Overmorrow

/// Waits for a promise, and fails the test if the promise is not fulfilled in time.
///
/// The wait has no vote on the cancellation of the promise.
///
/// - Parameters:
///   - promise: The promise, which another thread or a queue resolves.
///   - bound: The longest time to wait, in real time. The bound may be long, because only failing tests reach the
///     bound.
///   - fileID: The test's file.
///   - filePath: The test's file.
///   - line: The test's line.
///   - column: The test's column.
/// - Returns: The value, or `nil` if the test has failed.
@discardableResult
public func expectFulfilled<Value, Failure>(
  _ promise: Promise<Value, Failure>, within bound: Duration, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async -> Value? {
  let place = TestFailure(fileID, filePath, line, column)
  guard await place.waitFor(promise, within: bound) else { return nil }
  return expectFulfilled(promise, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Waits for a promise, and fails the test if the promise is not rejected in time.
///
/// The wait has no vote on the cancellation of the promise.
///
/// - Parameters:
///   - promise: The promise, which another thread or a queue resolves.
///   - bound: The longest time to wait, in real time. The bound may be long, because only failing tests reach the
///     bound.
///   - fileID: The test's file.
///   - filePath: The test's file.
///   - line: The test's line.
///   - column: The test's column.
/// - Returns: The error, or `nil` if the test has failed.
@discardableResult
public func expectRejected<Value, Failure>(
  _ promise: Promise<Value, Failure>, within bound: Duration, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async -> Failure? {
  let place = TestFailure(fileID, filePath, line, column)
  guard await place.waitFor(promise, within: bound) else { return nil }
  return expectRejected(promise, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Waits for a promise, and fails the test if the promise is not cancelled in time.
///
/// The wait has no vote on the cancellation of the promise.
///
/// - Parameters:
///   - promise: The promise, which another thread or a queue resolves.
///   - bound: The longest time to wait, in real time. The bound may be long, because only failing tests reach the
///     bound.
///   - fileID: The test's file.
///   - filePath: The test's file.
///   - line: The test's line.
///   - column: The test's column.
public func expectCancelled<Value, Failure>(
  _ promise: Promise<Value, Failure>, within bound: Duration, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async {
  let place = TestFailure(fileID, filePath, line, column)
  guard await place.waitFor(promise, within: bound) else { return }
  expectCancelled(promise, fileID: fileID, filePath: filePath, line: line, column: column)
}

extension TestFailure {
  /// Waits for a promise, for at most a bound. If the promise is still unresolved, fails the test and returns `false`.
  fileprivate func waitFor<Value, Failure>(_ promise: Promise<Value, Failure>, within bound: Duration) async -> Bool {
    if await promise.hasResolved(within: bound) { return true }
    record(
      "still unresolved after \(bound): \(String(reflecting: promise))", PromiseDiagnostics.pending(upstreamOf: promise)
    )
    return false
  }
}
