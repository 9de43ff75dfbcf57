internal import Overmorrow
internal import OvermorrowFoundation

/// The time limit of a step, counted from its beginning, for all its attempts together.
struct TimeLimit: Sendable {
  private let duration: Duration
  /// Resolved when the step begins; cancelled if it never does.
  private let start: Overmorrow.Promise<Void, Never>
  private let starter: Overmorrow.Promise<Void, Never>.Resolver
  /// The closure of the step. It may run beyond the limit.
  let call = LimitedCall()

  /// - Parameter seconds: The limit in seconds. Zero or less means no limit.
  init?(_ seconds: Double) {
    guard seconds > 0 else { return nil }
    duration = Duration(timeInterval: seconds)
    (start, starter) = Overmorrow.Promise<Void, Never>.makeForLibrary()
  }

  /// Starts to measure the time, because the step begins.
  func begin() { starter.fulfill(with: ()) }

  /// Returns a promise with the same result, unless the limit passes first. A step that can no longer have a result
  /// waits for the limit. When the limit passes, a suspended chain is resumed.
  func limit<T>(_ core: Promise<T>.Core, in chain: Chain) -> Promise<T>.Core {
    let deadline = start.flatMapResult(on: .immediate) { [duration] result in
      if result.isCancelled { return Promise<T>.Core(with: .cancelled) }
      return Promise<T>.Core(on: .userInteractive, rejected: PromiseError.timedOut, after: duration)
    }
    let outcome = core.flatMapResult(on: .immediate) { $0.isCancelled ? deadline : Promise<T>.Core(with: $0) }
    // `when(first:)` is not used, because a wait for a step that can never begin, and whose limit therefore never
    // starts, must be detected as a deadlock.
    let (limited, rejecter) = outcome.rejectableFromOutside()
    _ = deadline.catch(on: .immediate) { [pause = chain.pause, call] error in
      rejecter.reject(with: error)
      pause.resume()
      call.timeIsUp()
    }
    _ = limited.tap(on: .immediate) { _ in deadline.requestCancel() }
    return limited
  }
}
