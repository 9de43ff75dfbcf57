/// Suspends callbacks and the work behind them, and resumes them in order.
///
/// A pause applies to each callback whose context was made by ``PromiseContext/paused(by:)``, and to the attempts of a
/// retry, the jobs of a limiter and the loads of a cache with such a context.
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
/// While the pause is suspended, no callback under it begins, not even one that was already submitted to its queue. A
/// running callback finishes. `resume()` submits the waiting callbacks to their contexts. The callbacks of one context
/// begin in the order of arrival.
///
/// Retain the pause for as long as it is needed, because contexts do not retain it. If the pause is released while it
/// is suspended, it can never be resumed: the waiting callbacks are dropped as by an executor, which ends their
/// promises. If it is released while it is not suspended, its contexts behave as if there were no pause.
///
/// A suspended pause retains the callbacks that wait for it. A callback that uses the pause should capture it weakly.
/// Otherwise both stay in memory until the pause is resumed.
///
/// **A pause may be used from any thread.** No user code runs while its lock is held.
public final class PromisePause: Sendable {
  /// The state that the pause shares with its contexts. It lives as long as they do.
  package let line = PauseLine()
  private let outer: (line: PauseLine, number: UInt64)?

  /// Creates a pause that is not suspended.
  ///
  /// - Parameter outer: A pause around this one. While `outer` is suspended, this pause is suspended, too. `outer` is
  ///   not retained.
  public init(within outer: PromisePause? = nil) {
    self.outer = outer.flatMap { [line] outer in
      outer.line.attach({ line.setOuter(isSuspended: $0) }, orDrop: { line.end() }).map { (outer.line, $0) }
    }
  }

  deinit {
    line.end()
    if let outer { outer.line.detach(outer.number) }
  }

  /// Suspends the callbacks under this pause and the attached work. A second call does nothing.
  public func suspend() { line.suspend() }

  /// Resumes the callbacks and the attached work, unless the outer pause is suspended. A second call does nothing.
  ///
  /// - Runs on: callbacks run on their contexts. `.immediate` callbacks run inside this call, after everything else.
  /// - Order: the attached work is resumed first. Then the callbacks of each context begin in the order of arrival,
  ///   until the pause is suspended again.
  public func resume() { line.resume() }

  /// Whether this pause or the outer one is suspended, so that callbacks wait.
  public var isSuspended: Bool { line.isBlocked }

  /// Suspends and resumes work together with the callbacks under this pause.
  ///
  /// If the pause is already suspended, the work is suspended at once. If the pause is released while it is suspended,
  /// the promise is asked to cancel, because its work could never continue.
  ///
  /// - Parameters:
  ///   - work: The work to suspend and resume. It is retained until the promise has resolved.
  ///   - promise: The promise of the work.
  public func attach<Value, Failure>(_ work: any PromiseSuspendable, until promise: Promise<Value, Failure>) {
    line.attach(work, until: promise)
  }
}

extension PromiseContext {
  /// Returns this context under a pause: a callback begins only when the pause is not suspended.
  ///
  /// This works for each operator, body and job that takes a context. An `.immediate` callback runs inside the call
  /// that makes it ready if the pause is not suspended, and otherwise inside the call that resumes the pause.
  /// `.nowOr(context)` counts as `context`. In `.nowOr(.main.paused(by: pause))`, by contrast, the callback of a
  /// resolved promise runs at once, even while the pause is suspended.
  ///
  /// The pause is an executor in front of the context. Each callback is submitted separately, even if it directly
  /// follows another one.
  ///
  /// - Parameter pause: The pause. The context does not retain it.
  public func paused(by pause: PromisePause) -> PromiseContext { .executor(PausedExecutor(pause.line, later)) }

  /// The pauses of this context, and this context without them.
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
