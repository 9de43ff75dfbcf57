internal import Dispatch
@_spi(Adapters) internal import Overmorrow
@_spi(Adapters) internal import OvermorrowFlow

/// The state that the promises of one chain share. The object lives until all promises of the chain are released and
/// all steps of the chain have ended.
final class Chain: Sendable {
  /// The pause of the steps. If the last promise of a suspended chain is released, only the time limit of a step that
  /// has begun can end the suspension.
  let pause: PauseLine
  let steps = ChainSteps()
  /// A promise that is resolved when the chain begins, with the turn of the chain if it needed one.
  let start: Overmorrow.Promise<StartTurn, Never>
  private let delay: PromiseCancellable
  private let end = PromiseAdapter.makePromise(of: Void.self, failure: Never.self)

  /// Creates a chain. The chain does not begin at once, so that the code that creates the chain can first suspend or
  /// cancel the chain. If that code runs on the main queue, the chain begins when the code returns to the main queue,
  /// or after 1 second if the code blocks the main queue. Otherwise the chain begins after 10 milliseconds.
  ///
  /// - Parameter needsTurn: Whether the chain then waits for its turn, because its first closure may block a thread.
  init(pause: PauseLine, needsTurn: Bool) {
    self.pause = pause
    let isMadeOnMain = PromiseContext.auto == .main
    let delay = Overmorrow.Promise<Void, Never>(
      on: .userInteractive, fulfilled: (), after: isMadeOnMain ? .seconds(1) : .milliseconds(10))
    self.delay = delay.cancellable
    start = delay.flatMapResult(on: .immediate) { _ in
      needsTurn ? StartTurn.next() : Overmorrow.Promise(with: .cancelled)
    }
    if isMadeOnMain { DispatchQueue.main.async { [delay = self.delay] in delay.requestCancel() } }
  }

  deinit { end.1.fulfill(with: ()) }

  /// Begins the chain at once and without a turn, because a thread or another chain waits for this chain.
  func begin() { start.requestCancel() }

  /// Begins the chain without a delay, but in its turn. A step that blocks a thread until the chain ends may have the
  /// last turn, so for a step, the chain begins at once.
  func beginInTurn() { if StepQueue.isCurrent { begin() } else { delay.requestCancel() } }

  /// Rejects the active steps, resumes the chain if it is suspended, and begins the chain if it has not begun.
  func cancel() {
    steps.cancel()
    pause.resume()
    begin()
  }

  func onDeinit(_ block: Kept<() -> Void>) { _ = end.0.then(on: .immediate) { block.value() } }
}

/// The state that the handles of one chain share. When this object is released, only a time limit can still resume the
/// chain.
final class ChainHandle: Sendable {
  let pause = PromisePause()
  let chain: Chain

  init(needsTurn: Bool = false) { chain = Chain(pause: pause.line, needsTurn: needsTurn) }
}
