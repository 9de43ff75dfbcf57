import Dispatch
import Foundation
import Synchronization

/// Calls a closure on the main queue when a signal asks the program to stop, such as Ctrl-C.
///
/// Only the first signal calls the closure. After that, signals have their default effect again, so that a second
/// Ctrl-C ends a program that hangs.
final class Interrupt: Sendable {
  private static let signals = [SIGINT, SIGTERM]

  private let sources: Mutex<[any DispatchSourceSignal]>
  private let received: Received

  /// The signal that arrived, if any.
  var signal: Int32? { received.signal.withLock { $0 } }

  /// Calls `action` on the main queue when a signal comes.
  init(_ action: @escaping @Sendable () -> Void) {
    let received = Received()
    self.received = received
    sources = Mutex(
      Self.signals.map { number in
        // Otherwise the signal would end the program before the source receives it.
        Foundation.signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        source.setEventHandler {
          for number in Self.signals { Foundation.signal(number, SIG_DFL) }
          received.signal.withLock { $0 = number }
          action()
        }
        source.resume()
        return source
      })
  }

  deinit {
    sources.withLock { sources in
      for source in sources { source.cancel() }
    }
  }

  private final class Received: Sendable {
    let signal = Mutex<Int32?>(nil)
  }
}
