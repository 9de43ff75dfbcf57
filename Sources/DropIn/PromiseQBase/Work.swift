internal import Dispatch
internal import Overmorrow

/// The work of one step, and where, how often and for how long to try it.
struct Work<Input, Output>: Sendable {
  typealias Core = Promise<Output>.Core

  let context: PromiseContext
  private let retries: Int
  private let limit: TimeLimit?
  private let chain: Chain
  private let attempt: Kept<(Input) throws -> Core>

  init(
    _ queue: DispatchQueue, timeout: Double, retry: Int, in chain: Chain,
    _ attempt: @escaping (Input) throws -> Core
  ) {
    context = PromiseContext(for: queue)
    retries = max(0, min(retry, .max - 1))
    limit = TimeLimit(timeout)
    self.chain = chain
    self.attempt = Kept(attempt)
  }

  /// The result of the step with this work, unless that comes too late.
  func limited(_ step: Core) -> Core { limit?.limit(step, in: chain) ?? step }

  /// Does the work, unless the chain has been cancelled. Called where it is to run.
  func run(_ input: Input) -> Core {
    if chain.control.isCancelled { return Core(rejected: PromiseError.cancelled) }
    return handle(input)
  }

  /// Does the work. Called where it is to run.
  func handle(_ input: Input) -> Core {
    limit?.begin()
    let input = Kept(input)
    let begin: @Sendable (Int) -> Core = { [attempt, limit] _ in
      Core.rejectedIfThrown { () throws(any Error) in
        guard let limit else { return try attempt.value(input.value) }
        return try limit.call.run { try attempt.value(input.value) }
      }
    }
    guard retries > 0 else { return begin(1) }
    let policy = PromiseRetryPolicy<any Error>(attempts: retries + 1).onlyIf { [chain] _ in !chain.control.isCancelled }
    return Core.retry(policy, on: .nowOr(context), begin)
  }
}
