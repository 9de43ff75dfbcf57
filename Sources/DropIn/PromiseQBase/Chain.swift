internal import Dispatch
internal import Overmorrow

/// The state that the promises of one chain share. It lives until all its promises are released and all its steps have
/// ended.
final class Chain: Sendable {
  /// Suspends the steps. If the last promise of the chain is released while the chain is suspended, it stays suspended
  /// for ever, unless the time limit of a step that has begun passes.
  let pause: PauseLine
  let steps = ChainSteps()
  /// Resolved when the chain begins.
  let start: Overmorrow.Promise<Void, Never>
  private let end = Overmorrow.Promise<Void, Never>.makeForLibrary()

  /// Creates a chain. It begins a moment later, so that the code that makes it can suspend or cancel it first. If that
  /// code runs on the main queue, the chain begins when the code returns or waits; otherwise it begins after 10
  /// milliseconds.
  init(pause: PauseLine) {
    self.pause = pause
    guard PromiseContext.auto == .main else {
      start = Overmorrow.Promise(on: .userInteractive, fulfilled: (), after: .milliseconds(10))
      return
    }
    let (start, starter) = Overmorrow.Promise<Void, Never>.makeForLibrary()
    self.start = start
    starter.onRequestCancelWhileRetained { $0.cancel() }
    DispatchQueue.main.async { starter.fulfill() }
    MainWatch.shared.add(start)
  }

  deinit { end.1.fulfill(with: ()) }

  /// Begins the chain at once, because a thread waits for it.
  func begin() { start.requestCancel() }

  /// Rejects the active steps, resumes the chain if it is suspended, and begins it if it has not begun.
  func cancel() {
    steps.cancel()
    pause.resume()
    begin()
  }

  func onDeinit(_ block: Kept<() -> Void>) { _ = end.0.then(on: .immediate) { block.value() } }
}

/// The state that the handles of one chain share. When it is released, only a time limit can still resume the chain.
final class ChainHandle: Sendable {
  let pause = PromisePause()
  let chain: Chain

  init() { chain = Chain(pause: pause.line) }
}
