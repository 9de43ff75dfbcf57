internal import Foundation
package import Testing

/// The argument of an exit test. The body of an exit test runs in a child process, and with Swift 6.2 it cannot capture
/// a value. So the test passes the value, and the body takes it:
///
///     await ExitArgument.passing(count) {
///       await #expect(processExitsWith: .success) {
///         let count = try ExitArgument.taken(Int.self)
///
/// A file holds the value, because a variable of the environment must not change while other threads run. One test at a
/// time passes a value, so the number of the process identifies the file.
package enum ExitArgument {
  private static let turnstile = Turnstile(width: 1)

  /// Runs a closure whose exit test takes the value.
  @discardableResult
  package static func passing<Value: Encodable & Sendable, Result: Sendable>(
    _ value: Value, sourceLocation: SourceLocation = #_sourceLocation, to body: @Sendable () async throws -> Result
  ) async throws -> Result {
    await turnstile.enter()
    defer { turnstile.leave() }
    let file = file(of: getpid())
    try JSONEncoder().encode(value).write(to: file)
    let result = try await body()
    // Otherwise a child process that cannot read its argument would pass as one that fails as expected.
    if (try? FileManager.default.removeItem(at: file)) != nil {
      Issue.record("the exit test has not taken its argument", sourceLocation: sourceLocation)
    }
    return result
  }

  /// Returns, in the child process, the value that the test has passed, and removes it.
  package static func taken<Value: Decodable>(_: Value.Type) throws -> Value {
    let file = file(of: getppid())
    let value = try JSONDecoder().decode(Value.self, from: Data(contentsOf: file))
    try FileManager.default.removeItem(at: file)
    return value
  }

  private static func file(of process: pid_t) -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("overmorrow-exit-argument-\(process)")
  }
}
