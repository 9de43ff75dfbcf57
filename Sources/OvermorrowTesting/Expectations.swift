public import Overmorrow

/// Fails the test if a promise is not fulfilled at this moment.
///
/// - Parameters:
///   - promise: The promise to check. The call does not wait for the promise.
///   - fileID: The test's file.
///   - filePath: The test's file.
///   - line: The test's line.
///   - column: The test's column.
/// - Returns: The value, or `nil` if the test has failed.
@discardableResult
public func expectFulfilled<Value, Failure>(
  _ promise: Promise<Value, Failure>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) -> Value? {
  if case .value(let value)? = promise.result { return value }
  TestFailure(fileID, filePath, line, column).record("expected \(promise) to be fulfilled")
  return nil
}

/// Fails the test if a promise is not rejected at this moment.
///
/// - Parameters:
///   - promise: The promise to check. The call does not wait for the promise.
///   - fileID: The test's file.
///   - filePath: The test's file.
///   - line: The test's line.
///   - column: The test's column.
/// - Returns: The error, or `nil` if the test has failed.
@discardableResult
public func expectRejected<Value, Failure>(
  _ promise: Promise<Value, Failure>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) -> Failure? {
  if case .error(let error)? = promise.result { return error }
  TestFailure(fileID, filePath, line, column).record("expected \(promise) to be rejected")
  return nil
}

/// Fails the test if a promise is not cancelled at this moment.
///
/// - Parameters:
///   - promise: The promise to check. The call does not wait for the promise.
///   - fileID: The test's file.
///   - filePath: The test's file.
///   - line: The test's line.
///   - column: The test's column.
public func expectCancelled<Value, Failure>(
  _ promise: Promise<Value, Failure>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) {
  if case .cancelled? = promise.result { return }
  TestFailure(fileID, filePath, line, column).record("expected \(promise) to be cancelled")
}

/// Fails the test if a promise is resolved.
///
/// - Parameters:
///   - promise: The promise to check. The call does not wait for the promise.
///   - fileID: The test's file.
///   - filePath: The test's file.
///   - line: The test's line.
///   - column: The test's column.
public func expectPending<Value, Failure>(
  _ promise: Promise<Value, Failure>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) {
  if promise.result == nil { return }
  TestFailure(fileID, filePath, line, column).record("expected \(promise) to be unresolved")
}
