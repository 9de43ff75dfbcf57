/// What a recording is told of a promise.
package struct PromiseEvent: Sendable {
  package enum Kind: Sendable {
    /// It was made: from another promise, or at a place, by a step on a context.
    case made(source: Int?, origin: String?, context: String?)
    /// Its callback begins, and has returned.
    case callbackBegins, callbackEnds
    /// It waits for another promise, which it is resolved with.
    case adopts(Int)
    /// It has its result.
    case resolved
    /// Nothing has it any more.
    case freed
  }

  package let number: Int
  package let kind: Kind
  package let time: ContinuousClock.Instant
  package let thread: UInt

  /// Receives events on the threads on which they arise. It makes no promise.
  package typealias Sink = @Sendable (PromiseEvent) -> Void

  private static let sinks = Guarded<[ObjectIdentifier: Sink]>([:])

  /// Sends all events to a sink from now on, or no more if there is none.
  package static func send(to sink: Sink?, for owner: ObjectIdentifier) {
    sinks.withLock { sinks in
      sinks[owner] = sink
      DiagnosticsSwitch.setRecording(!sinks.isEmpty)
    }
  }

  /// Tells the recordings, if there are any.
  static func send(_ number: UInt, _ kind: @autoclosure () -> Kind) {
    guard DiagnosticsSwitch.isRecording else { return }
    let event = PromiseEvent(
      number: Int(number), kind: kind(), time: .now, thread: ThreadLocal.current.identity)
    for sink in sinks.withLock({ Array($0.values) }) { sink(event) }
  }
}
