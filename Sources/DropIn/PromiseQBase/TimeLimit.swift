internal import Overmorrow
internal import OvermorrowFoundation

/// How long a step may take from when it begins, with all its attempts.
struct TimeLimit: Sendable {
  private let duration: Duration
  /// Resolves when the step begins; cancelled if it never does.
  private let start: Overmorrow.Promise<Void, Never>
  private let starter: Overmorrow.Promise<Void, Never>.Resolver
  /// The closure of the step, which may run longer than it may take.
  let call = LimitedCall()

  /// - Parameter seconds: Zero or less is no limit.
  init?(_ seconds: Double) {
    guard seconds > 0 else { return nil }
    duration = Duration(timeInterval: seconds)
    (start, starter) = Overmorrow.Promise<Void, Never>.makeForLibrary()
  }

  /// The step begins.
  func begin() { starter.fulfill(with: ()) }

  /// The same result, unless it comes too late. A step that can come to no result any more waits for its limit; and a
  /// chain that is suspended goes on with it.
  func limit<T>(_ core: Promise<T>.Core, in chain: Chain) -> Promise<T>.Core {
    let deadline = start.flatMapResult(on: .immediate) { [duration] result in
      if result.isCancelled { return Promise<T>.Core(with: .cancelled) }
      return Promise<T>.Core(on: .userInteractive, rejected: PromiseError.timedOut, after: duration)
    }
    let outcome = core.flatMapResult(on: .immediate) { $0.isCancelled ? deadline : Promise<T>.Core(with: $0) }
    // Not the first of the two: a wait for a step that can never begin, and its limit with it, is to be found out.
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
