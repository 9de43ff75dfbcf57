internal import Overmorrow
internal import OvermorrowEngine

/// The turn of a call in a rate limiter.
struct RateTurn: Sendable {
  private let core: RateCore
  private let entry: RateCore.Entry
  private let turn: TokenBucket.Turn

  init(of core: RateCore, in entry: RateCore.Entry, _ turn: TokenBucket.Turn) {
    self.core = core
    self.entry = entry
    self.turn = turn
  }

  /// Starts work on a context when the call has its token. If the work is never started, puts the token back.
  func run<Value: Sendable>(
    on context: PromiseContext, at site: CallSite, _ work: @escaping @Sendable () -> Promise<Value, any Error>
  ) -> Promise<Value, any Error> {
    let (pauses, context) = context.behindPauses
    switch turn {
    case .refused(let wait):
      return Promise(with: .error(PromiseRefusalError.rateExceeded(retryAfter: wait)), site: site)
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
  fileprivate nonisolated(nonsending) func wait() async throws {
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

extension RateCore {
  /// Calls an async closure in the caller's task when the call has its token.
  ///
  /// A call that has its token does not retain the limiter's core and its bucket. The function is inlined, which saves
  /// a thirteenth of the instructions of such a call.
  @inline(__always)
  nonisolated(nonsending) func perform<Value>(
    _ turn: TokenBucket.Turn, in entry: Entry, _ function: StaticString, at site: CallSite,
    _ work: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    let pending = TaskCall.begin(function, at: site, waitingFor: "its token")
    defer { pending?.end() }
    if case .admitted = turn {} else { try await RateTurn(of: self, in: entry, turn).wait() }
    pending?.cause = "its closure"
    return try await work()
  }
}
