@testable import Overmorrow
@testable import OvermorrowDiagnostics
@testable import OvermorrowEngine
@testable import OvermorrowTracing

extension Timeline {
  /// Records what a closure does on this thread. Tests that run at the same time on other threads are left out.
  ///
  /// - Parameter body: The closure. The recording retains the returned objects until its end.
  static func recordedHere(_ body: () -> [any Sendable]) -> Timeline {
    let recording = PromiseRecording()
    let kept = body()
    recording.stop()
    return withExtendedLifetime(kept) {
      let thread = ThreadLocal.current.identity
      let events = recording.log.state.withLock { $0.events.filter { $0.thread == thread } }
      return Timeline(events, from: recording.log.start, omitted: 0)
    }
  }
}
