public import Overmorrow

/// Suspends callbacks and the work behind them, and resumes them in order.
///
/// A pause applies to each callback whose context was made by ``Overmorrow/PromiseContext/paused(by:)``. A pause also
/// applies to the attempts of a retry, the jobs of a limiter and the loads of a cache if their context was made by that
/// method.
///
/// ```swift
/// let pause = PromisePause()
/// let page = download(url)
///   .map(on: .utility.paused(by: pause)) { try parse($0) }
///   .then(on: .main.paused(by: pause)) { show($0) }
/// pause.suspend()
/// pause.resume()
/// ```
///
/// While the pause is suspended, no callback under the pause begins, not even a callback that was already submitted to
/// its queue. A running callback finishes. `resume()` submits the waiting callbacks to their contexts. The callbacks of
/// one context begin in the order in which they were submitted.
///
/// Retain the pause for as long as it is needed, because contexts do not retain it. If the pause is released while it
/// is suspended, it can never be resumed. The waiting callbacks are then dropped, and their promises end as if an
/// executor had dropped the callbacks. If the pause is released while it is not suspended, its contexts behave as if
/// there were no pause.
///
/// A suspended pause retains the waiting callbacks. A callback that uses the pause should capture the pause weakly. If
/// a callback captures the pause strongly, both the callback and the pause stay in memory until the pause is resumed.
///
/// **A pause may be used from any thread.** No user code runs while its lock is held.
public final class PromisePause: Sendable {
  /// The state that the pause shares with its contexts. Those contexts retain the state.
  @_spi(Adapters)
  public let line = PauseLine()
  private let outer: (line: PauseLine, number: UInt64)?

  /// Creates a pause that is not suspended.
  ///
  /// - Parameter outer: A pause around the new pause. While `outer` is suspended, the new pause is suspended, too. The
  ///   new pause does not retain `outer`. If `outer` is released while it is suspended, the new pause can never be
  ///   resumed.
  public init(within outer: PromisePause? = nil) {
    self.outer = outer.flatMap { [line] outer in
      outer.line.attach({ line.setOuter(isSuspended: $0) }, orDrop: { line.pauseDidEnd() }).map { (outer.line, $0) }
    }
  }

  deinit {
    line.pauseDidEnd()
    if let outer { outer.line.detach(outer.number) }
  }

  /// Suspends the callbacks under this pause and the attached work. A second call does nothing.
  public func suspend() { line.suspend() }

  /// Resumes the callbacks and the attached work. If the outer pause is suspended, the callbacks and the work continue
  /// only after the outer pause is resumed. A second call does nothing.
  ///
  /// - Runs on: callbacks run on their contexts. `.immediate` callbacks run inside this call, after the attached work
  ///   was resumed and the other callbacks were submitted.
  /// - Order: the attached work is resumed first. Then the callbacks of each context begin in the order of arrival,
  ///   until the pause is suspended again.
  public func resume() { line.resume() }

  /// Whether this pause or the outer pause is suspended, so that callbacks wait.
  public var isSuspended: Bool { line.isBlocked }

  /// Suspends and resumes work together with the callbacks under this pause.
  ///
  /// If the pause is already suspended, the work is suspended at once. If the pause is released while it is suspended,
  /// the promise is asked to cancel, because the work could never continue.
  ///
  /// - Parameters:
  ///   - work: The work to suspend and resume. It is retained until the promise has resolved.
  ///   - promise: The promise of the work.
  public func attach<Value, Failure>(_ work: any PromiseSuspendable, until promise: Promise<Value, Failure>) {
    line.attach(work, until: promise)
  }
}

extension PromiseContext {
  /// Returns this context under a pause. A callback on the returned context begins only when the pause is not
  /// suspended.
  ///
  /// You can pass the returned context to each operator, body and job that takes a context. If the pause is not
  /// suspended, an `.immediate` callback runs inside the call that makes the callback ready. If the pause is suspended,
  /// the callback runs inside the call that resumes the pause. `.nowOr(context).paused(by: pause)` counts as
  /// `context.paused(by: pause)`. In `.nowOr(.main.paused(by: pause))`, by contrast, the callback of a resolved promise
  /// runs at once, even while the pause is suspended.
  ///
  /// The pause is an executor in front of the context. Each callback is submitted separately, even if it directly
  /// follows another callback.
  ///
  /// - Parameter pause: The pause. The context does not retain the pause.
  public func paused(by pause: PromisePause) -> PromiseContext { .executor(PausedExecutor(pause.line, later)) }

  /// The pauses of this context, and this context without these pauses.
  var behindPauses: (pauses: [PauseLine], context: PromiseContext) {
    guard let front else { return ([], self) }
    let (pauses, context) = front.context.behindPauses
    if let paused = front as? PausedExecutor { return ([paused.line] + pauses, context) }
    return pauses.isEmpty ? ([], self) : (pauses, front.moved(inFrontOf: context))
  }
}

/// An executor that submits callbacks to a context while a pause is not suspended.
private final class PausedExecutor: NamedExecutor, FrontExecutor {
  let line: PauseLine
  let context: PromiseContext

  init(_ line: PauseLine, _ context: PromiseContext) {
    self.line = line
    self.context = context
  }

  var name: String { "\(context.shownName) under a pause" }

  var isBlocked: Bool { line.isBlocked }

  func moved(inFrontOf context: PromiseContext) -> PromiseContext { .executor(PausedExecutor(line, context)) }

  func enqueue(_ work: @escaping @Sendable () -> Void) { line.enter(on: context, work) }
}
