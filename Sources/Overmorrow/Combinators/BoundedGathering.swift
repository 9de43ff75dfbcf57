internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// An object that starts the promises of one bounded `when(fulfilled:)`, and receives the results of these promises.
///
/// This object is retained by the steps of the promises in flight, and by the turn that will start more promises.
final class BoundedGathering<Value: Sendable, Failure: Sendable>: Sendable {
  private typealias State = BoundedState<Value, Failure>
  typealias Cursor = InputCursor<Value, Failure>

  private let resolver: Promise<[Value], Failure>.Resolver
  private let context: PromiseContext
  private let gate: Gate?
  /// Whether a decision is delivered only after the promises in flight have finished.
  private let isJoining: Bool
  /// The token whose invalidation asks the promises in flight to cancel after a decision; `nil` if `cancelOnFailure` is
  /// `false`.
  private let cancelToken: PromiseInvalidationToken?
  /// Whether the promise has a note.
  private let isWatched: Bool
  private let steps = WaitingSteps()
  private let state: Guarded<State>

  /// The largest number of inputs that are started in a row on a queue. After these inputs, the queue can run other
  /// work.
  private static var maxInputsInARow: Int { 1000 }

  /// Starts the promises of a sequence, and returns a promise for all values.
  static func run<Inputs: Sequence>(
    _ inputs: sending Inputs, _ limit: Int, cancelOnFailure: Bool, joining: Bool, on context: PromiseContext,
    _ token: PromiseInvalidationToken?, at site: CallSite,
    _ transform: @escaping @Sendable (Inputs.Element) -> Promise<Value, Failure>
  ) -> Promise<[Value], Failure> where Inputs.Element: Sendable {
    let (promise, resolver) = Promise<[Value], Failure>.makeForLibrary(at: site, by: .boundedInputs)
    let gathering = BoundedGathering(
      resolver: resolver, limit: limit, cancelling: cancelOnFailure, joining: joining, context: context,
      gate: token?.gate, cursor: InputCursor(inputs, transform))
    PromiseNote.find(promise.handle.core)?.wait(for: gathering)
    gathering.begin()
    return promise
  }

  private init(
    resolver: Promise<[Value], Failure>.Resolver, limit: Int, cancelling: Bool, joining: Bool,
    context: PromiseContext, gate: Gate?, cursor: Cursor
  ) {
    self.resolver = resolver
    isWatched = resolver.object.withCore { $0.traits.has(.checked) } ?? false
    self.context = context
    self.gate = gate
    isJoining = joining
    cancelToken = cancelling ? PromiseInvalidationToken(invalidateOnDeinit: false) : nil
    state = Guarded(State(limit: limit, cursor: cursor))
    // A request to cancel first prevents further starts, and then asks the promises in flight to cancel.
    resolver.onRequest { [weak self] _ in self?.handleCancelRequest() }
    resolver.wait(through: steps)
  }

  // MARK: Turns

  func begin() { startMore(on: context) }

  /// Schedules a turn, if there is room for a promise and no turn is scheduled.
  private func startMore(on context: PromiseContext) {
    if state.withLock({ $0.reserveTurn() }) { scheduleTurn(on: context) }
  }

  private func scheduleTurn(on context: PromiseContext) {
    if case .immediate = context { return runTurn(on: context) }
    // If the context drops the turn, no further promise can be started, so the promise of the `when` is cancelled.
    let turn = OneCall({ self.runTurn(on: context) }, ifDropped: { self.decide(.cancelled, finishing: false) })
    Pass.perform(on: context) { turn() }
  }

  /// Starts promises while there is room. If a promise finishes inside this call, a later round of the loop starts the
  /// next promise, so that this function does not call itself.
  private func runTurn(on context: PromiseContext) {
    guard let cursor = state.withLock({ $0.beginTurn() }) else { return }
    var last: Promise<Value, Failure>?
    defer { if let last { reportCycle(through: last) } }
    var budget = context.isNow ? .max : BoundedGathering.maxInputsInARow
    repeat {
      if gate?.isShut == true { return decide(.cancelled, finishing: false) }
      guard let makePromise = cursor.next() else { return stopReading { $0.complete() } }
      guard let number = state.withLock({ $0.admit() }) else { return stopReading { _ in } }
      let promise = makePromise()
      start(promise, as: number)
      if isWatched { last = promise }
      budget -= 1
      // If the context is paused, the remaining inputs wait for another turn.
      if context.isBlocked { budget = 0 }
    } while state.withLock { $0.continuesTurn(cursor, isBudgetSpent: budget == 0) }
    if budget == 0 { startMore(on: context.later) }
  }

  private func stopReading(_ transition: (inout State) -> Void) {
    let isDone = state.withLock { state in
      transition(&state)
      return state.isDoneWithInputs
    }
    if isDone { conclude() }
  }

  private func start(_ promise: Promise<Value, Failure>, as number: Int) {
    cancelToken?.requestCancelOnInvalidate(promise)
    resolver.object.withCore { core in
      withExtendedLifetime(promise) { CoreNote.follower(of: core)?.noteInput(promise.handle.core) }
    }
    let step = promise.observe(
      ReportStep<Value, Failure, WithdrawableVote>.self, on: .immediate, gate: nil,
      .init { self.report($0, of: number) }
    ).handle
    CoreNote.follower(of: step.core)?.noteInternal()
    steps.add(step)
    resolver.breakCycle(through: step)
    // If the token was invalidated before `promise` was registered with it, the token does not ask `promise` to cancel.
    if cancelToken != nil, state.withLock({ $0.isDecided }) { promise.requestCancel() }
  }

  // MARK: Reports

  private func report(_ result: PromiseResult<Value, Failure>, of number: Int) {
    switch result {
    case .error(let error): decide(.error(error), finishing: true)
    case .cancelled: decide(.cancelled, finishing: true)
    case .value(let value):
      switch state.withLock({ $0.finish(number, with: value) }) {
      case .nothing: break
      case .turn: scheduleTurn(on: context.later)
      case .conclude: conclude()
      }
    }
  }

  /// Handles a decision. There is a decision if a promise has failed or was cancelled, if a turn finds that the user's
  /// token is invalidated, or if the context has dropped a turn. Only the first decision counts.
  ///
  /// - Parameter finishing: Whether the decision comes from a promise in flight that has finished.
  private func decide(_ result: PromiseResult<[Value], Failure>, finishing: Bool) {
    let failure = RecordedFailure.ofInput
    let leftovers = state.withLock { $0.decide(result, failure, finishing: finishing) }
    if leftovers.isFirst {
      if !isJoining {
        resolver.resolve(with: result, of: failure)
        steps.dropWaiting()
      }
      cancelToken?.invalidate()
    }
    if isJoining, leftovers.isDone { conclude() }
    release(leftovers.cursor)
  }

  private func handleCancelRequest() {
    guard let cursor = state.withLock({ $0.requestCancel() }) else { return }
    conclude()
    release(cursor)
  }

  deinit { steps.dropWaiting() }

  private func conclude() {
    defer { steps.dropWaiting() }
    let (decision, failure, values) = state.withLock { $0.takeResult() }
    if let decision { return resolver.resolve(with: decision, of: failure) }
    resolver.fulfill(
      with: values.map { value in
        guard let value else { preconditionFailure("values were collected before all inputs were fulfilled") }
        return value
      })
  }

  /// Releases the user's sequence and closure on the context where they were used. If they were never used, releases
  /// them at once.
  private func release(_ cursor: Cursor?) {
    guard let cursor else { return }
    if cursor.hasBegun { Pass.perform(on: context.later) { cursor.release() } } else { cursor.release() }
  }
}

extension BoundedGathering: InputSource {
  /// The largest number of promises in flight that the graph of waits contains. A search visits no more nodes.
  private static var mostInGraph: Int { 1000 }

  var waitsForInputs: Bool { state.withLock { $0.waitsForInputs && $0.inFlight <= Self.mostInGraph } }

  /// Reports the cycle of waits that contains the promise, if there is one.
  ///
  /// - Parameter input: The input that was started last. If this input can end, there is no cycle.
  private func reportCycle(through input: Promise<Value, Failure>) {
    withExtendedLifetime(input) {
      _ = resolver.object.withCore { WaitGraph.check(adopter: $0, of: input.handle.core) }
    }
  }
}
