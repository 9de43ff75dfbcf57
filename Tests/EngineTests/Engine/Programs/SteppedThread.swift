import Dispatch
import Foundation

/// A thread that runs in parts, each inside a call of ``advance()``: so one of several runs at a time.
final class SteppedThread: @unchecked Sendable {
  // Sendable: the thread and the one that advances it take turns, by the semaphores.
  private let turn = DispatchSemaphore(value: 0)
  private let end = DispatchSemaphore(value: 0)
  private var body: (() -> Void)?

  init(_ body: @escaping () -> Void) {
    self.body = body
    Thread { [self] in
      turn.wait()
      self.body?()
      self.body = nil
      end.signal()
    }.start()
  }

  /// Runs the next part; `false` if that was the last one.
  func advance() -> Bool {
    turn.signal()
    end.wait()
    return body != nil
  }

  /// Called by the body where a part ends.
  func pause() {
    end.signal()
    turn.wait()
  }
}
