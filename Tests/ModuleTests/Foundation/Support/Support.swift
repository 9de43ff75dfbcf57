import Foundation
// Re-exports the support code that all tests share, and the server for network tests.
@_exported import LoopbackServer
import Overmorrow
import OvermorrowFoundation
@_exported import OvermorrowTesting
@_exported import TestSupport
import Testing

#if canImport(FoundationNetworking)
  @_exported import FoundationNetworking
#endif

/// The time after which a wait fails.
let waitLimit = Duration.seconds(60)

/// A session configuration with that time limit.
var patientConfiguration: URLSessionConfiguration {
  let configuration = URLSessionConfiguration.ephemeral
  configuration.timeoutIntervalForRequest = 60
  return configuration
}

/// A session with that time limit.
let patientSession = NetworkSession(configuration: patientConfiguration)

/// Waits for a promise, with a time limit, and returns its value.
@discardableResult
func expectAnswer<Value, Failure>(
  _ promise: Promise<Value, Failure>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) async -> Value? {
  await expectFulfilled(promise, within: waitLimit, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Waits for a request, with a time limit, and returns its error.
@discardableResult
func expectError<Value>(
  _ promise: Promise<Value, any Error>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) async -> NetworkError? {
  let error = await expectRejected(
    promise, within: waitLimit, fileID: fileID, filePath: filePath, line: line, column: column)
  if let error, !(error is NetworkError) { Issue.record("\(promise) has no error of the network") }
  return error as? NetworkError
}

extension NetworkError {
  /// The name of the case.
  var name: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }

  /// The code of a connection error; `nil` for other errors.
  var code: URLError.Code? {
    guard case .connection(let error) = self else { return nil }
    return error.code
  }
}

extension TestServer {
  /// Makes a server that answers requests for `/there`, and redirects all others to it.
  static func redirecting(_ answer: @escaping @Sendable (Connection) -> Void) throws -> TestServer {
    try TestServer { connection in
      if connection.path == "/there" { return answer(connection) }
      connection.reply("302 Found", ["Location: /there"], Data("moved".utf8))
    }
  }

  /// Makes a server that answers nothing or only the beginning of a response, and signals the arrival of the request
  /// and the end of the connection.
  static func hanging(
    _ begun: Signal, _ closed: Signal, _ beginning: @escaping @Sendable (Connection) -> Void = { _ in }
  ) throws -> TestServer {
    try TestServer { connection in
      begun.send()
      beginning(connection)
      connection.waitForClose()
      closed.send()
    }
  }
}

/// A one-time event that a test waits for with a time limit.
final class Signal: Sendable {
  private let promise: Promise<Void, Never>
  private let resolver: Promise<Void, Never>.Resolver

  init() { (promise, resolver) = Promise.makeWithResolver() }

  func send() { resolver.fulfill(with: ()) }

  func wait() async { await expectFulfilled(promise.tap(), within: waitLimit) }

  /// Waits like `wait`, blocking the calling thread.
  func block() {
    let semaphore = DispatchSemaphore(value: 0)
    _ = promise.tap(on: .immediate) { _ in semaphore.signal() }
    _ = semaphore.wait(timeout: .now() + .seconds(60))
  }
}

/// A temporary folder for the files of a test, which is removed with this object.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("overmorrow-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// The names of the files, including hidden ones.
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path).sorted()) ?? ["unreadable"] }
}
