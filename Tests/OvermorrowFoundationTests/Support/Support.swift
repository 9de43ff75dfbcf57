import Foundation
import Overmorrow
import OvermorrowFoundation
import OvermorrowTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Whether a sanitizer watches this process.
let isSanitized = ["__tsan_init", "__asan_init"].contains { (name: String) in unsafe dlsym(nil, name) != nil }

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

/// What happened, in the order in which it happened, from any thread.
final class Recorder<Entry: Sendable>: Sendable {
  private let log = Guarded<[Entry]>([])

  func record(_ entry: Entry) { log.withLock { $0.append(entry) } }

  var entries: [Entry] { log.withLock { $0 } }
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

/// How many bytes of memory this process has in use; `nil` where that cannot be told, or says nothing.
func residentBytes() -> Int? {
  // A sanitizer's own bookkeeping grows with every access.
  if isSanitized { return nil }
  guard let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
  let fields = statm.split(separator: " ")
  guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
  return pages * Int(getpagesize())
}

/// Waits, with a bound, until something that reports no changes has a value.
func becomes(_ value: Bool, _ read: () -> Bool) async {
  let deadline = ContinuousClock.now + patience
  while read() != value, ContinuousClock.now < deadline { await Task.yield() }
  #expect(read() == value)
}
