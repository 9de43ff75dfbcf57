internal import Dispatch
internal import Overmorrow

/// What the promises of one chain share. It lives until they have gone and all their steps have ended.
final class Chain: Sendable {
  /// Suspends the steps. It is shut for ever when the chain is dropped while it is suspended.
  let pause: PauseLine
  let steps = ChainSteps()
  /// Resolves when the chain begins.
  let start: Overmorrow.Promise<Void, Never>
  private let end = Overmorrow.Promise<Void, Never>.makeForLibrary()

  /// A chain that begins a moment later, so that the code that makes it can suspend or cancel it first: code on the
  /// main queue until it returns or waits.
  init(pause: PauseLine) {
    self.pause = pause
    guard PromiseContext.auto == .main else {
      start = Overmorrow.Promise(on: .userInteractive, fulfilled: (), after: .milliseconds(10))
      return
    }
    let (start, starter) = Overmorrow.Promise<Void, Never>.makeForLibrary()
    self.start = start
    starter.onRequestCancelWhileKept { $0.cancel() }
    DispatchQueue.main.async { starter.fulfill() }
    MainWatch.shared.add(start)
  }

  deinit { end.1.fulfill(with: ()) }

  /// Begins at once, as a thread waits for the chain.
  func begin() { start.requestCancel() }

  /// Rejects the steps whose turn it is, and lets those go on that are suspended.
  func cancel() {
    steps.cancel()
    pause.resume()
    begin()
  }

  func onDeinit(_ block: Kept<() -> Void>) { _ = end.0.then(on: .immediate) { block.value() } }
}

/// What the copies of the promises of one chain share: once they are gone, the chain can no longer be resumed.
final class ChainHandle: Sendable {
  let pause = PromisePause()
  let chain: Chain

  init() { chain = Chain(pause: pause.line) }
}
