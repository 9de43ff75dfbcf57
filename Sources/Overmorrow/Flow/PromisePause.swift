/// Suspends callbacks, and the work behind them, and lets them go on in their order.
///
/// A callback is under a pause when its context is; so are the attempts of a retry, the jobs of a limiter and the loads
/// of a cache whose context is.
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
/// While the pause is suspended, no callback under it begins, not even one that is on its queue already. A callback
/// that is running finishes. `resume()` submits what has arrived to its contexts; callbacks of one context begin in the
/// order of arrival.
///
/// Keep the pause as long as it may be needed. Contexts do not keep it. If it is released while it is suspended, it can
/// never be resumed: the waiting callbacks are dropped, as by an executor, which cancels their promises. If it is
/// released otherwise, its contexts stay as they are without it.
///
/// A suspended pause keeps the callbacks that wait for it. One that uses the pause should capture it weakly, or both
/// stay until the pause is resumed.
///
/// **A pause may be used from any thread.** None of your code runs under its lock.
public final class PromisePause: Sendable {
  /// What its contexts share. It outlives the pause, as they do.
  package let line = PauseLine()
  private let outer: (line: PauseLine, number: UInt64)?

  /// A pause that is not suspended.
  ///
  /// - Parameter outer: Another pause: while that is suspended, this one is, too. It does not keep that one.
  public init(within outer: PromisePause? = nil) {
    self.outer = outer.flatMap { [line] outer in
      outer.line.attach({ line.setOuter(isSuspended: $0) }, orDrop: { line.end() }).map { (outer.line, $0) }
    }
  }

  deinit {
    line.end()
    if let outer { outer.line.detach(outer.number) }
  }

  /// Keeps callbacks from beginning, and suspends the work attached. A second call does nothing.
  public func suspend() { line.suspend() }

  /// Goes on, unless the pause around this one is suspended. A second call does nothing.
  ///
  /// - Runs on: Callbacks run on their contexts. Those for `.immediate` run inside this call, last.
  /// - Order: The work attached is resumed first. Then the callbacks of each context go on in the order of arrival,
  ///   until the pause is suspended again.
  public func resume() { line.resume() }

  /// Whether callbacks under the pause wait, because of this pause or of the one around it.
  public var isSuspended: Bool { line.isShut }

  /// Suspends work together with the callbacks under this pause, and resumes it with them.
  ///
  /// If the pause is suspended by now, so is the work, at once. If the pause is released while it is suspended, the
  /// promise is asked to cancel, as its work could not go on.
  ///
  /// - Parameters:
  ///   - work: What to suspend and to resume. It is kept until the promise has resolved.
  ///   - promise: What the work is for.
  public func attach<Value, Failure>(_ work: any PromiseSuspendable, until promise: Promise<Value, Failure>) {
    line.attach(work, until: promise)
  }
}

extension PromiseContext {
  /// This context, through a pause: a callback for it begins when the pause is not suspended.
  ///
  /// Works for each operator, body and job that takes a context. An `.immediate` callback runs inside the call when the
  /// pause is not suspended, and otherwise inside the call that resumes it. `nowOr` counts as the context inside it;
  /// `.nowOr(.main.paused(by: pause))` is the other way round: of a resolved promise, it runs the callback in any case.
  ///
  /// The pause is an executor in front of the context: each callback is submitted by itself, also one that follows
  /// another.
  ///
  /// - Parameter pause: Not kept by the context.
  public func paused(by pause: PromisePause) -> PromiseContext { .executor(PausedExecutor(pause.line, later)) }

  /// The pause that this context goes through, and the context behind that; or this context.
  var behindPause: (line: PauseLine?, context: PromiseContext) {
    guard case .executor(let executor) = self, let executor = executor as? PausedExecutor else { return (nil, self) }
    return (executor.line, executor.context)
  }
}

/// Hands callbacks to a context when a pause is open.
private final class PausedExecutor: NamedExecutor {
  let line: PauseLine
  let context: PromiseContext

  init(_ line: PauseLine, _ context: PromiseContext) {
    self.line = line
    self.context = context
  }

  var name: String { "\(context.shownName) under a pause" }

  func enqueue(_ work: @escaping @Sendable () -> Void) { line.enter(on: context, work) }
}
