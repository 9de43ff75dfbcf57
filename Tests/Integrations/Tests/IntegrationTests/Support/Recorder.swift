import Overmorrow
import OvermorrowTesting

/// How long a test waits before it gives up.
let patience = Duration.seconds(60)

/// What happened, in the order in which it happened, from any thread.
final class Recorder<Entry: Sendable>: Sendable {
  private let (stream, continuation) = AsyncStream<Entry>.makeStream()

  func record(_ entry: Entry) { continuation.yield(entry) }

  /// All that was recorded; nothing can be recorded afterwards.
  var entries: [Entry] {
    get async {
      continuation.finish()
      return await stream.reduce(into: []) { $0.append($1) }
    }
  }
}
