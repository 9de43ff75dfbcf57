import Overmorrow
import Synchronization

/// Starts jobs so that no more than a fixed number of them is unresolved at any time; the others wait their turn,
/// first come, first served.
///
/// A job is a closure, not a promise: a promise has already started, so there would be nothing left to hold back.
final class BoundedLoader: Sendable {
  private struct State {
    var lastTicket = 0

    /// The tickets of those who have a place.
    var running: Set<Int> = []

    /// Who waits for a place, in the order of arrival. Whoever takes an entry out, under the lock, settles its promise.
    var waiting: [(ticket: Int, begin: @Sendable () -> Void)] = []
  }

  private let limit: Int
  private let context: PromiseContext
  private let state = Mutex(State())

  /// A loader that runs up to `limit` jobs side by side, and starts each on `context`.
  init(limit: Int, on context: PromiseContext) {
    precondition(limit > 0, "BoundedLoader(limit: \(limit)): no job could ever start")
    self.limit = limit
    self.context = context
  }

  /// Runs a job as soon as there is room for it.
  ///
  /// - Fulfils, fails: as the job does.
  /// - Cancels: at once when asked to while it waits, without the job being started; afterwards as the job does.
  /// - Runs on: the context of the loader.
  /// - Order: jobs start in the order of the calls.
  ///
  /// - Parameters:
  ///   - token: If it is invalidated before the job starts, the job never does.
  ///   - job: Starts the work.
  func load<Value, Failure: Error>(
    token: PromiseInvalidationToken? = nil, _ job: @escaping @Sendable () -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    let (turn, ticket) = takeTicket(failingAs: Failure.self)
    return turn.flatMap(on: context, token: token, job)
      // Whatever happens, the place is free again: `always` sees all three outcomes.
      .always(on: .immediate) { _ in self.leave(ticket) }
  }

  /// A promise that is fulfilled when there is a place, and the ticket to give it back with.
  private func takeTicket<Failure>(failingAs _: Failure.Type) -> (turn: Promise<Void, Failure>, ticket: Int) {
    let (turn, resolver) = Promise<Void, Failure>.makeWithResolver()
    let (ticket, isFree) = state.withLock { state in
      state.lastTicket += 1
      let isFree = state.running.count < limit
      if isFree {
        state.running.insert(state.lastTicket)
      } else {
        state.waiting.append((state.lastTicket, { resolver.fulfill(with: ()) }))
      }
      return (state.lastTicket, isFree)
    }

    if isFree {
      resolver.fulfill(with: ())
    } else {
      resolver.onRequestCancel(on: .immediate) { resolver in
        if self.stopWaiting(ticket) { resolver.cancel() }
      }
    }
    return (turn, ticket)
  }

  /// Leaves the queue, and tells whether the ticket was still in it.
  private func stopWaiting(_ ticket: Int) -> Bool {
    state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else { return false }
      state.waiting.remove(at: index)
      return true
    }
  }

  /// Passes the place of a ticket on to the next in line, if it has one.
  private func leave(_ ticket: Int) {
    let begin: (@Sendable () -> Void)? = state.withLock { state in
      guard state.running.remove(ticket) != nil, !state.waiting.isEmpty else { return nil }
      let next = state.waiting.removeFirst()
      state.running.insert(next.ticket)
      return next.begin
    }
    // Outside the lock, since it runs whatever hangs on the promise.
    begin?()
  }
}
