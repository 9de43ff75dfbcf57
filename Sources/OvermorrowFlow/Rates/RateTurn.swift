public import Overmorrow
public import OvermorrowDiagnostics
public import OvermorrowEngine

/// The turn of a call in a rate limiter.
@usableFromInline
struct RateTurn: Sendable {
  private let core: RateCore
  private let entry: RateCore.Entry
  private let turn: TokenBucket.Turn

  init(of core: RateCore, in entry: RateCore.Entry, _ turn: TokenBucket.Turn) {
    self.core = core
    self.entry = entry
    self.turn = turn
  }

  /// Whether the call has its token and no promise has to show it, so that its work may run inside the call.
  @usableFromInline
  var mayRunInsideCall: Bool { if case .admitted = turn { !UntypedPromise.isWatching } else { false } }

  /// Starts work on a context when the call has its token. If the work is never started, puts the token back.
  ///
  /// A client specialises the part for work that runs inside this call.
  @inlinable
  func run<Value: Sendable>(
    on context: PromiseContext, at site: CallSite, _ work: @escaping @Sendable () -> Promise<Value, any Error>
  ) -> Promise<Value, any Error> {
    guard case .immediate = context, mayRunInsideCall else { return start(on: context, at: site, work) }
    let promise = work()
    if UntypedPromise(promise).isResolvedWithoutError { return promise }
    // The promise of the work is not returned, because a request to cancel must withdraw one vote only.
    let (result, resolver) = Promise<Value, any Error>.makeForLibrary(at: site, by: .job)
    resolver.resolve(with: promise)
    return result
  }

  /// Starts work that need not run inside the call.
  @usableFromInline
  func start<Value: Sendable>(
    on context: PromiseContext, at site: CallSite, _ work: @escaping @Sendable () -> Promise<Value, any Error>
  ) -> Promise<Value, any Error> {
    let (pauses, context) = context.behindPauses
    switch turn {
    case .refused(let wait):
      return .refused(.rateExceeded(retryAfter: wait), at: site)
    case .admitted:
      let (promise, held) = hold(work, on: context, at: site, nil)
      held.start(under: pauses)
      return promise
    case .waits(let ticket):
      let place = context.afterTimer(on: core.clock, insteadOfImmediate: .auto)
      let (promise, held) = hold(work, on: place, at: site, ticket)
      core.wait(ticket, in: entry) { held.start(under: pauses) }
      return promise
    }
  }

  private func hold<Value: Sendable>(
    _ work: @escaping @Sendable () -> Promise<Value, any Error>, on context: PromiseContext, at site: CallSite,
    _ ticket: RateTicket?
  ) -> (Promise<Value, any Error>, HeldWork<Value, any Error>) {
    // Only the held work retains this object, and work that cannot begin any more is released.
    let token = OneCall({}, ifDropped: { [core, entry] in core.giveBack(ticket, to: entry) })
    return HeldWork.make(on: context, at: site, by: .job) { _ in
      token()
      return work()
    }
  }

  /// Waits in the caller's task until the call has its token.
  @usableFromInline
  nonisolated(nonsending) func wait() async throws {
    switch turn {
    case .refused(let wait): throw PromiseRefusalError.rateExceeded(retryAfter: wait)
    case .admitted: return
    case .waits(let ticket):
      // The executor of a task is code of the user, which must not run on the timers' queue.
      let place = PromiseContext.immediate.afterTimer(on: core.clock)
      await withTaskCancellationHandler {
        await withCheckedContinuation { turn in
          core.wait(ticket, in: entry) { place.perform { turn.resume() } }
        }
      } onCancel: {
        core.endWait(ticket, in: entry)?()
      }
      guard core.isReady(ticket) else { throw CancellationError() }
      guard Task.isCancelled else { return }
      core.giveBack(ticket, to: entry)
      throw CancellationError()
    }
  }
}
