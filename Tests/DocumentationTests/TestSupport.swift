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

/// What a sample shows, until it has shown as many things as are expected.
final class Shown<Entry: Sendable>: Sendable {
  private let recorder = Recorder<Entry>()
  private let latch: Latch

  init(_ count: Int = 1) { latch = Latch(count) }

  func show(_ entry: Entry) {
    recorder.record(entry)
    latch.signal()
  }

  /// All that was shown, as soon as that is as much as is expected.
  func entries(sourceLocation: SourceLocation = #_sourceLocation) async -> [Entry] {
    await latch.wait(for: "what the sample shows", sourceLocation: sourceLocation)
    return recorder.entries
  }
}

/// Lets the main actor go on until something has happened.
@MainActor func until(
  _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () -> Bool
) async {
  let deadline = ContinuousClock.now + .seconds(60)
  while !condition() {
    guard .now < deadline else {
      Issue.record("no sign of \(what)", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}

/// What was registered on the main queue before has run.
func mainQueue() async { _ = await Promise<Void, Never>(fulfilled: ()).map(on: .main) {}.outcome() }
