internal import OvermorrowEngine

/// An event of a promise, for a recording.
package struct PromiseEvent: Sendable {
  package enum Kind: Sendable {
    /// The promise was made. The payload is the number of its source, its origin, its name, and the context of its
    /// callback. A part of the payload that does not exist is `nil`.
    case made(source: Int?, origin: String?, name: String?, context: String?)
    /// The program has given the promise this name.
    case named(String)
    /// The callback of the promise begins, or has returned.
    case callbackBegins, callbackEnds
    /// The promise was resolved with the promise that has this number, and waits for that promise.
    case adopts(Int)
    /// The promise waits for one of its inputs. The payload is the number of the input, or of the internal step through
    /// which a combinator waits for the input.
    case gathers(Int)
    /// The promise belongs to an internal step of the library, and no code can observe the promise.
    case isInternal
    /// The promise has its result.
    case resolved(Ending)
    /// A mistake in the use of the promise, as the diagnostics define mistakes.
    case mistake(String)
    /// The memory of the promise was freed.
    case freed
  }

  package enum Ending: String, Sendable {
    case fulfilled, rejected, cancelled
  }

  package let number: Int
  package let kind: Kind
  package let time: ContinuousClock.Instant
  package let thread: UInt

  /// A closure that receives events, on the threads on which they occur. It must not make promises.
  package typealias Sink = @Sendable (PromiseEvent) -> Void

  private static let sinks = Guarded<[ObjectIdentifier: Sink]>([:])

  /// From now on, sends all events to the sink of an owner. With `nil`, removes the sink of the owner.
  package static func send(to sink: Sink?, for owner: ObjectIdentifier) {
    sinks.withLock { sinks in
      sinks[owner] = sink
      DiagnosticsSwitch.setRecording(!sinks.isEmpty)
    }
  }

  /// Sends an event to all sinks.
  static func send(_ number: UInt, _ kind: @autoclosure () -> Kind) {
    guard DiagnosticsSwitch.isRecording else { return }
    let event = PromiseEvent(
      number: Int(number), kind: kind(), time: .now, thread: ThreadLocal.current.identity)
    for sink in sinks.withLock({ Array($0.values) }) { sink(event) }
  }
}

extension PromiseEvent.Ending {
  init(_ outcome: Outcome) {
    self =
      switch outcome {
      case .value: .fulfilled
      case .error: .rejected
      case .cancelled: .cancelled
      }
  }
}
