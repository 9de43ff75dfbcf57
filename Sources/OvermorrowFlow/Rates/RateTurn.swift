internal import Overmorrow
internal import OvermorrowEngine

/// The turn of a call in a rate limiter.
enum RateTurn: Sendable {
  /// The call may begin after a wait. If the work of the call is never started, the closure returns its token.
  case admitted(after: Duration, giveBack: @Sendable () -> Void)
  case refused(retryAfter: Duration)

  init(_ turn: TokenBucket.Turn, giveBack: @escaping @Sendable (_ token: Duration) -> Void) {
    switch turn {
    case .admitted(let wait, let token): self = .admitted(after: wait) { giveBack(token) }
    case .refused(let wait): self = .refused(retryAfter: wait)
    }
  }

  /// Starts work on a context when its turn has come. If the work is never started, returns the token.
  func run<Value: Sendable>(
    on context: PromiseContext, clock: any Clock<Duration>, at site: CallSite,
    _ work: @escaping @Sendable () -> Promise<Value, any Error>
  ) -> Promise<Value, any Error> {
    switch self {
    case .refused(let wait):
      return Promise(with: .error(PromiseRefusalError.rateExceeded(retryAfter: wait)), site: site)
    case .admitted(.zero, let giveBack):
      let turn = Promise<Void, any Error>(with: .value(()), site: site)
      // The work starts inside this call.
      if case .immediate = context { return turn.flatMap(on: context) { _ in work() } }
      return RateTurn.start(work, after: turn, on: context, giveBack)
    case .admitted(let wait, let giveBack):
      let (turn, start) = Promise<Void, any Error>.makeDelayed(
        on: context, with: .value(()), after: wait, clock: clock, at: site, by: .timer)
      // The delay ends on the context, so that the work needs no further hop.
      defer { start() }
      return RateTurn.start(work, after: turn, on: .immediate, giveBack)
    }
  }

  private static func start<Value: Sendable>(
    _ work: @escaping @Sendable () -> Promise<Value, any Error>, after turn: Promise<Void, any Error>,
    on context: PromiseContext, _ giveBack: @escaping @Sendable () -> Void
  ) -> Promise<Value, any Error> {
    // Only the step retains this object, and a step that cannot run any more is released.
    let begin = OneCall({}, ifDropped: giveBack)
    return turn.flatMap(on: context) { _ in
      begin()
      return work()
    }
  }

  /// Waits in the caller's task until the turn has come.
  nonisolated(nonsending) func wait(on clock: any Clock<Duration>) async throws {
    switch self {
    case .refused(let wait): throw PromiseRefusalError.rateExceeded(retryAfter: wait)
    case .admitted(let wait, let giveBack):
      guard wait > .zero else { return }
      // A sleep that throws before the task is cancelled ends the wait.
      try? await clock.sleep(for: wait)
      guard Task.isCancelled else { return }
      giveBack()
      throw CancellationError()
    }
  }
}
