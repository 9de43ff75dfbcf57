@_spi(Adapters) internal import Overmorrow
@_spi(Adapters) internal import OvermorrowFlow
internal import OvermorrowFoundation

/// The time limit for all attempts of a step together, counted from the beginning of the step.
struct TimeLimit: Sendable {
  private let duration: Duration
  /// A promise that is resolved when the step begins, or cancelled if the step never begins.
  private let start: Overmorrow.Promise<Void, Never>
  private let starter: Overmorrow.Promise<Void, Never>.Resolver
  private let pause: RetainedPause

  /// - Parameters:
  ///   - seconds: The limit in seconds. Zero or less means no limit.
  ///   - pause: The pause of the chain. The pause is retained while the limit runs.
  init?(_ seconds: Double, _ pause: PromisePause) {
    guard seconds > 0 else { return nil }
    // About 95 years at most, so that the conversion cannot overflow.
    duration = .seconds(min(seconds, 3e9))
    self.pause = RetainedPause(pause)
    (start, starter) = PromiseAdapter.makePromise()
  }

  /// Starts to measure the time, because the step begins.
  func begin() { starter.fulfill(with: ()) }

  /// Returns a promise with the result of `core`, or with ``PromiseError/timedOut`` if the limit passes first. If the
  /// step can no longer have a result, the promise waits for the limit. When the limit passes, a suspended chain is
  /// resumed, even if the last promise of the chain was released.
  func limit<T>(_ core: Promise<T>.Core, in chain: Chain) -> Promise<T>.Core {
    let deadline = start.flatMapResult(on: .immediate) { [duration, pause] result in
      if result.isCancelled { return Promise<T>.Core(with: .cancelled) }
      pause.retain()
      return Promise<T>.Core(on: .userInteractive, rejected: PromiseError.timedOut, after: duration)
    }
    let outcome = core.flatMapResult(on: .immediate) { $0.isCancelled ? deadline : Promise<T>.Core(with: $0) }
    // If a step can never begin, its limit never starts, and a wait for the step must be detected as a deadlock.
    // `when(first:)` is not used, because it would prevent this detection.
    let limited = outcome.makeChild()
    let rejecter = PromiseRejecter(limited)
    _ = deadline.catch(on: .immediate) { [pause = chain.pause] error in
      rejecter.reject(with: error)
      pause.resume()
    }
    // The pause is released after the observer above has resumed the chain, or when the step ends before the limit.
    _ = deadline.always(on: .immediate) { [pause] _ in pause.release() }
    _ = limited.tap(on: .immediate) { _ in deadline.requestCancel() }
    return limited
  }
}

/// A pause that can be retained for some time. A pause that has been released can no longer be resumed.
private final class RetainedPause: @unchecked Sendable {
  // Sendable because `retained` is written only by the callback that begins to measure the time, and then by an
  // observer of the promise of that callback.

  /// Returns the pause, or `nil` if the pause has been released.
  private let pause: @Sendable () -> PromisePause?
  private var retained: PromisePause?

  init(_ pause: PromisePause) { self.pause = { [weak pause] in pause } }

  func retain() { retained = pause() }

  func release() { retained = nil }
}
