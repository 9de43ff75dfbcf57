import Overmorrow
import OvermorrowTesting

/// The time after which a wait fails.
let waitLimit = Duration.seconds(60)

/// A log that any thread may append to.
final class Recorder<Entry: Sendable>: Sendable {
  private let (stream, continuation) = AsyncStream<Entry>.makeStream()

  func record(_ entry: Entry) { continuation.yield(entry) }

  /// All entries. Nothing can be recorded afterwards.
  var entries: [Entry] {
    get async {
      continuation.finish()
      return await stream.reduce(into: []) { $0.append($1) }
    }
  }
}
