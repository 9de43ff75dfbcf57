internal import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// Records which promises are made, what they wait for, and when and where their callbacks run.
///
/// ```swift
/// let recording = PromiseRecording()
/// let pictures = when(fulfilled: names.map(load))
/// pictures.always(on: .utility) { _ in
///   recording.stop()
///   save(recording.html, "pictures.html")
///   save(recording.json, "pictures.json")
/// }
/// ```
///
/// A recording begins when it is created, and ends with ``stop()`` or when its last reference is released. It contains
/// the promises that are made with a place in your code while the recording runs, and all promises derived from these
/// promises. These promises are recorded in debug and release builds, and at each level of the diagnostics.
///
/// While no recording runs, no events are recorded. **A recording may be used from any thread.**
public final class PromiseRecording: Sendable {
  /// The maximum number of events. A promise has about three events, and two more events if it has a callback.
  public static var limit: Int { 1_000_000 }

  let log = EventLog()

  /// Creates a recording. The recording begins at once.
  public init() { PromiseEvent.send(to: { [log] in log.append($0) }, for: ObjectIdentifier(log)) }

  deinit { stop() }

  /// Ends the recording. The recording keeps its events, and no event is added afterwards. A second call has no effect.
  public func stop() {
    PromiseEvent.send(to: nil, for: ObjectIdentifier(log))
    log.end()
  }

  /// The number of promises in the recording, without the internal steps of combinators.
  public var count: Int { timeline.spans.count }

  /// The number of events that were dropped because the recording already had ``limit`` events.
  public var omitted: Int { log.state.withLock { $0.omitted } }

  /// The recording as trace events in JSON, for Perfetto (<https://ui.perfetto.dev>) and for the tracing page of a
  /// browser.
  ///
  /// Each promise is an asynchronous slice from its creation to its result, and each callback is a slice of its thread.
  /// Arrows lead from the callback of a step to the callback of the next step. The arguments of a promise's slice
  /// include its state, its chain, and the promise that waits for the chain.
  ///
  /// - Complexity: O(n log n), where n is the number of events.
  public var json: String { timeline.json }

  /// The recording as a self-contained HTML page, with a line for each of the first 5,000 promises.
  ///
  /// A line shows how long the promise waited, when its callback ran, and how long the promise followed another promise
  /// with which it was resolved. The steps of a chain, and the chains that the chain waits for, fold into one line. A
  /// search opens the folds that contain a text. The page has less than 25 MB.
  ///
  /// - Complexity: O(n log n), where n is the number of events.
  public var html: String { timeline.html }

  var timeline: Timeline {
    let (events, omitted) = log.state.withLock { ($0.events, $0.omitted) }
    return Timeline(events, from: log.start, omitted: omitted)
  }
}

/// The events of a recording.
final class EventLog: Sendable {
  struct State: Sendable {
    var events: [PromiseEvent] = []
    var omitted = 0
    var hasEnded = false
  }

  let state = Guarded(State())
  let start = ContinuousClock.now

  /// Makes the log ignore further events. Further events can arrive, because another thread may have begun to send an
  /// event before `stop()`.
  func end() { state.withLock { $0.hasEnded = true } }

  func append(_ event: PromiseEvent) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      if state.events.count < PromiseRecording.limit { state.events.append(event) } else { state.omitted += 1 }
    }
  }
}
