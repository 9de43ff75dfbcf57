internal import Overmorrow
internal import OvermorrowEngine

/// The turn of a call in a rate limiter.
enum RateTurn: Sendable {
  /// The call may begin after a wait. If the call is cancelled during the wait, the closure returns its token.
  case admitted(after: Duration, giveBack: @Sendable () -> Void)
  case refused(retryAfter: Duration)

  init(_ turn: TokenBucket.Turn, giveBack: @escaping @Sendable (_ token: Duration) -> Void) {
    switch turn {
    case .admitted(let wait, let token): self = .admitted(after: wait) { giveBack(token) }
    case .refused(let wait): self = .refused(retryAfter: wait)
    }
  }

  /// Starts work on a context when its turn has come.
  func run<Value: Sendable>(
    on context: PromiseContext, clock: any Clock<Duration>, at site: CallSite,
    _ work: @escaping @Sendable () -> Promise<Value, any Error>
  ) -> Promise<Value, any Error> {
    switch self {
    case .refused(let wait): return Promise(rejected: PromiseRefusalError.rateExceeded(retryAfter: wait))
    case .admitted(.zero, _): return Promise<Void, any Error>(fulfilled: ()).flatMap(on: context) { _ in work() }
    case .admitted(let wait, let giveBack):
      let turn = Promise<Void, any Error>(
        on: context, with: .value(()), after: wait, clock: clock, at: site, by: .timer)
      turn.whenResolved { if $0.isCancelled { giveBack() } }
      // The delay has ended on the context.
      return turn.flatMap(on: .immediate) { _ in work() }
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
