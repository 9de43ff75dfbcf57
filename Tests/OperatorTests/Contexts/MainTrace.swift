import Dispatch
import Testing

/// Tells of the callbacks of a chain, and of what the main queue does after the first of them.
struct MainTrace: Sendable {
  let log = Recorder<String>()
  let turn = Latch()
  let done = Latch()

  /// The first callback: from now on the main queue has something else to do, too.
  func begin() {
    log.record("begin")
    DispatchQueue.main.async {
      log.record("another turn")
      turn.signal()
    }
  }

  /// The last callback.
  func end(_ name: String) {
    log.record(name)
    done.signal()
  }

  /// Waits until the main queue has done that, and looks at what has happened.
  func expect(_ entries: String..., sourceLocation: SourceLocation = #_sourceLocation) async {
    await turn.wait(for: "another turn of the main queue", sourceLocation: sourceLocation)
    #expect(log.entries == entries, sourceLocation: sourceLocation)
  }
}
