import Dispatch
import Testing

/// Records the callbacks of a chain, and another block on the main queue that is submitted by the first of them.
struct MainTrace: Sendable {
  let log = Recorder<String>()
  let turn = Latch()
  let done = Latch()

  /// Called by the first callback. Submits another block to the main queue.
  func begin() {
    log.record("begin")
    DispatchQueue.main.async {
      log.record("another turn")
      turn.signal()
    }
  }

  /// Called by the last callback.
  func end(_ name: String) {
    log.record(name)
    done.signal()
  }

  /// Waits until the main queue has run that block, and checks the entries.
  func expect(_ entries: String..., sourceLocation: SourceLocation = #_sourceLocation) async {
    await turn.wait(for: "another turn of the main queue", sourceLocation: sourceLocation)
    #expect(log.entries == entries, sourceLocation: sourceLocation)
  }
}
