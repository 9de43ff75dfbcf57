import Dispatch
import GalleryKit
import Overmorrow
import OvermorrowFlow
import OvermorrowTracing
import Synchronization

/// Runs of the gallery, one after another. Each is shown on the page that has started it.
final class LiveRuns: Sendable {
  /// The message to a page after an event.
  fileprivate struct Progress: Encodable {
    let tally: RunTally
    /// The user whose picture was loaded, if the event is about one.
    let user: User?
  }

  /// The message to a page at the end of a run.
  fileprivate struct End: Encodable {
    let text: String
    let hasSheet: Bool
  }

  private let settings: Gallery.Settings
  private let limiter = PromiseLimiter(width: 1)
  private let events = PromiseContext.queue(DispatchQueue(label: "gallery.events"))
  private let newestTimeline = Mutex<String?>(nil)

  init(_ settings: Gallery.Settings) { self.settings = settings }

  /// A page with the promises of the last run that has ended; `nil` before that.
  var timeline: String? { newestTimeline.withLock { $0 } }

  /// Starts a run after the runs before it have ended.
  ///
  /// - Returns: The events of the run. If the stream is released early, for example because the page is closed, the run
  ///   stops and leaves the output folder unchanged.
  func start() -> AsyncStream<[UInt8]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let token = PromiseInvalidationToken()
    continuation.onTermination = { _ in token.invalidate() }

    let tally = Mutex(RunTally())
    limiter.run(on: .utility) { [self] in
      let recording = PromiseRecording()
      return Gallery(settings).make(token: token, reportingOn: events) { event in
        let tally = tally.withLock { tally in
          tally.note(event)
          return tally
        }
        continuation.yield(EventStream.event("progress", Progress(tally: tally, user: event.loaded)))
      }
      .always(on: .utility) { [self] _ in
        recording.stop()
        newestTimeline.withLock { $0 = recording.html }
      }
    }
    .requestCancelOnInvalidate(token)
    // Runs on the queue of the events, so that this event is the last one.
    .always(on: events) { result in
      continuation.yield(EventStream.event("end", End(result)))
      continuation.finish()
    }
    return stream
  }

  /// Stops all runs. The promise is fulfilled when they have cleaned up.
  func stop() -> Promise<Void, Never> {
    limiter.cancelAll()
    return limiter.run(on: .immediate) { Promise(fulfilled: ()) }
  }
}

extension GalleryEvent {
  /// The user whose picture was loaded.
  fileprivate var loaded: User? {
    if case .finished(let outcome) = self, outcome.failure == nil { outcome.user } else { nil }
  }
}

extension LiveRuns.End {
  fileprivate init(_ result: PromiseResult<Summary, GalleryError>) {
    switch result {
    case .value(let summary):
      text = "\(summary.loaded) of \(summary.outcomes.count) pictures in \(summary.time.inSeconds)"
      hasSheet = true
    case .error(let error): (text, hasSheet) = ("Error: \(error)", false)
    case .cancelled: (text, hasSheet) = ("Stopped. The output folder is unchanged.", false)
    }
  }
}
