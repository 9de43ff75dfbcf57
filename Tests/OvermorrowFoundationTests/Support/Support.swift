import Foundation
// The support that all tests share, and the server that answers these.
@_exported import LoopbackServer
import Overmorrow
import OvermorrowFoundation
import OvermorrowTesting
@_exported import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
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

/// Waits, with a bound, until something that reports no changes has a value.
func becomes(_ value: Bool, _ read: () -> Bool) async {
  let deadline = ContinuousClock.now + patience
  while read() != value, ContinuousClock.now < deadline { await Task.yield() }
  #expect(read() == value)
}
