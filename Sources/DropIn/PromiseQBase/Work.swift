internal import Dispatch
internal import Overmorrow

/// The work of one step, and where and how often to try it.
struct Work<Input, Output>: Sendable {
  typealias Core = Promise<Output>.Core

  let context: PromiseContext
  private let retries: Int
  private let chain: Chain
  private let attempt: Kept<(Input) throws -> Core>

  init(_ queue: DispatchQueue, retry: Int, in chain: Chain, _ attempt: @escaping (Input) throws -> Core) {
    context = PromiseContext(for: queue)
    retries = max(0, min(retry, .max - 1))
    self.chain = chain
    self.attempt = Kept(attempt)
  }

  /// Does the work, unless the chain has been cancelled. Called where it is to run.
  func run(_ input: Input) -> Core {
    if chain.control.isCancelled { return Core(rejected: PromiseError.cancelled) }
    return handle(input)
  }

  /// Does the work. Called where it is to run.
  func handle(_ input: Input) -> Core {
    let input = Kept(input)
    let begin: @Sendable (Int) -> Core = { [attempt] _ in
      Core.rejectedIfThrown { () throws(any Error) in try attempt.value(input.value) }
    }
    guard retries > 0 else { return begin(1) }
    let policy = PromiseRetryPolicy<any Error>(attempts: retries + 1).onlyIf { [chain] _ in !chain.control.isCancelled }
    return Core.retry(policy, on: .nowOr(context), begin)
  }
}

/// How long after the beginning of its chain a step may end.
struct TimeLimit: Sendable {
  private let duration: Duration
  /// Keeps a step that is too late from beginning.
  let token = PromiseInvalidationToken(invalidateOnDeinit: false)

  /// - Parameter seconds: Zero or less is no limit.
  init?(_ seconds: Double) {
    guard seconds > 0 else { return nil }
    duration = Duration(timeInterval: seconds)
  }

  /// The same result, unless it comes too late.
  func limit<T>(_ core: Promise<T>.Core, in chain: Chain) -> Promise<T>.Core {
    core.timeout(delay: duration, after: chain.start).mapError(on: .immediate) { [token] error -> any Error in
      guard error is PromiseTimeoutError<any Error> else { return error }
      token.invalidate()
      return PromiseError.timedOut
    }
  }
}
