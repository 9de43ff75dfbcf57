import Overmorrow
// Re-exports the support code that all tests share.
@_exported import TestSupport
import Testing

/// The error of the stand-ins in samples.
struct Fault: Error, Equatable {}

struct Image: Sendable, Equatable {
  static let anonymous = Image(name: "anonymous")
  var name: String
}

/// A stand-in for a server that answers with the address and a suffix.
struct Service: Sendable {
  func page(at url: String = "page") async throws -> String {
    await Task.yield()
    return url + "!"
  }

  func image(at url: String) async throws -> String { try await page(at: url) }
}

extension Recorder {
  /// Waits until the given number of entries has been recorded since the last call, and returns them.
  func entries(_ count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async -> [Entry] {
    await until("what the sample shows", sourceLocation: sourceLocation) { entries.count >= count }
    return takeAll()
  }
}

/// Waits until the work that was submitted to the main queue before has run.
func mainQueue() async { _ = await Promise<Void, Never>(fulfilled: ()).map(on: .main) {}.outcome() }
