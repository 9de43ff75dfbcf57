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

/// What samples show.
final class Shown<Entry: Sendable>: Sendable {
  private let state = Guarded<(entries: [Entry], latch: Latch?)>(([], nil))

  func show(_ entry: Entry) {
    let latch = state.withLock { state in
      state.entries.append(entry)
      return state.latch
    }
    latch?.signal()
  }

  /// All that was shown since the last time, as soon as that is so much.
  func entries(_ count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async -> [Entry] {
    let latch = state.withLock { state in
      let latch = Latch(count - state.entries.count)
      state.latch = latch
      return latch
    }
    await latch.wait(for: "what the sample shows", sourceLocation: sourceLocation)
    return state.withLock { state in
      defer { state = ([], nil) }
      return state.entries
    }
  }
}

/// What was registered on the main queue before has run.
func mainQueue() async { _ = await Promise<Void, Never>(fulfilled: ()).map(on: .main) {}.outcome() }
