/// An event of a promise, for a recording.
package struct PromiseEvent: Sendable {
  package enum Kind: Sendable {
    /// It was made from another promise, or at a place; its step runs on a context.
    case made(source: Int?, origin: String?, context: String?)
    /// Its callback begins, and has returned.
    case callbackBegins, callbackEnds
    /// It was resolved with another promise, and waits for it.
    case adopts(Int)
    /// It has its result.
    case resolved
    /// Its memory was freed.
    case freed
  }

  package let number: Int
  package let kind: Kind
  package let time: ContinuousClock.Instant
  package let thread: UInt

  /// Receives events on the threads on which they arise. It makes no promise.
  package typealias Sink = @Sendable (PromiseEvent) -> Void

  private static let sinks = Guarded<[ObjectIdentifier: Sink]>([:])

  /// Sends all events to a sink from now on; stops if there is none.
  package static func send(to sink: Sink?, for owner: ObjectIdentifier) {
    sinks.withLock { sinks in
      sinks[owner] = sink
      DiagnosticsSwitch.setRecording(!sinks.isEmpty)
    }
  }

  /// Sends an event to the recordings, if there are any.
  static func send(_ number: UInt, _ kind: @autoclosure () -> Kind) {
    guard DiagnosticsSwitch.isRecording else { return }
    let event = PromiseEvent(
      number: Int(number), kind: kind(), time: .now, thread: ThreadLocal.current.identity)
    for sink in sinks.withLock({ Array($0.values) }) { sink(event) }
  }
}
