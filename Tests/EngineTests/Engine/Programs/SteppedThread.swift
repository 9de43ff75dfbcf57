import Dispatch
import Foundation

/// A thread that runs in parts, one in each call of ``advance()``, so that only one of several such threads runs at a
/// time.
final class SteppedThread: @unchecked Sendable {
  // Sendable because semaphores make this thread and the thread that advances it take turns.
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

  /// Runs the next part. Returns `false` after the last one.
  func advance() -> Bool {
    turn.signal()
    end.wait()
    return body != nil
  }

  /// The body calls this at the end of a part.
  func pause() {
    end.signal()
    turn.wait()
  }
}
