import Foundation
// The support that all tests share, and the server that answers these.
@_exported import LoopbackServer
import Overmorrow
import OvermorrowFoundation
@_exported import OvermorrowTesting
@_exported import TestSupport
import Testing

#if canImport(FoundationNetworking)
  @_exported import FoundationNetworking
#endif

/// How long a test waits before it gives up.
let patience = Duration.seconds(60)

/// A configuration with such patience.
var patientConfiguration: URLSessionConfiguration {
  let configuration = URLSessionConfiguration.ephemeral
  configuration.timeoutIntervalForRequest = 60
  return configuration
}

/// A session with such patience.
let patientSession = NetworkSession(configuration: patientConfiguration)

/// The value that a promise is fulfilled with, waited for with a bound.
@discardableResult
func expectAnswer<Value, Failure>(
  _ promise: Promise<Value, Failure>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) async -> Value? {
  await expectFulfilled(promise, within: patience, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// The error that a request is rejected with, waited for with a bound.
@discardableResult
func expectError<Value>(
  _ promise: Promise<Value, any Error>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) async -> NetworkError? {
  let error = await expectRejected(
    promise, within: patience, fileID: fileID, filePath: filePath, line: line, column: column)
  if let error, !(error is NetworkError) { Issue.record("\(promise) has no error of the network") }
  return error as? NetworkError
}

extension NetworkError {
  /// The name of the case.
  var name: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }

  /// Why there is no connection; `nil` for other errors.
  var code: URLError.Code? {
    guard case .connection(let error) = self else { return nil }
    return error.code
  }
}

extension TestServer {
  /// Answers what is asked for at `/there`, and redirects everything else to that.
  static func redirecting(_ answer: @escaping @Sendable (Connection) -> Void) throws -> TestServer {
    try TestServer { connection in
      if connection.path == "/there" { return answer(connection) }
      connection.reply("302 Found", ["Location: /there"], Data("moved".utf8))
    }
  }

  /// Says nothing, or a beginning only, and tells when it was asked and when the other side has gone.
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

/// Something that a test waits for, with a bound.
final class Signal: Sendable {
  private let promise: Promise<Void, Never>
  private let resolver: Promise<Void, Never>.Resolver

  init() { (promise, resolver) = Promise.makeWithResolver() }

  func send() { resolver.fulfill(with: ()) }

  func wait() async { await expectFulfilled(promise.tap(), within: patience) }

  /// The same on a thread of its own.
  func block() {
    let semaphore = DispatchSemaphore(value: 0)
    _ = promise.tap(on: .immediate) { _ in semaphore.signal() }
    _ = semaphore.wait(timeout: .now() + .seconds(60))
  }
}

/// A folder for the files of one test, which goes with it.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("overmorrow-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// The names of the files, the hidden ones, too.
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path).sorted()) ?? ["unreadable"] }
}
