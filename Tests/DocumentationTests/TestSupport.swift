import Overmorrow
// The support that all tests share.
@_exported import TestSupport
import Testing

/// What the stand-ins of the samples fail with.
struct Fault: Error, Equatable {}

struct Image: Sendable, Equatable {
  static let anonymous = Image(name: "anonymous")
  var name: String
}

/// A server that answers with the address, and a mark.
struct Service: Sendable {
  func page(at url: String = "page") async throws -> String {
    await Task.yield()
    return url + "!"
  }

  func image(at url: String) async throws -> String { try await page(at: url) }
}

extension Recorder {
  /// All that was recorded since the last time, as soon as that is so much.
  func entries(_ count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async -> [Entry] {
    await until("what the sample shows", sourceLocation: sourceLocation) { entries.count >= count }
    return takeAll()
  }
}

/// What was registered on the main queue before has run.
func mainQueue() async { _ = await Promise<Void, Never>(fulfilled: ()).map(on: .main) {}.outcome() }
