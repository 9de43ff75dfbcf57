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
    _ queue: DispatchQueue, timeout: Double = 0, retry: Int = 0, in chain: Chain,
    _ attempt: @escaping (Input) throws -> Core
  ) {
    context = PromiseContext(for: queue)
    retries = max(0, min(retry, .max - 1))
    limit = TimeLimit(timeout)
    self.chain = chain
    self.attempt = Kept(attempt)
  }

  /// The result of the step with this work, unless that comes too late or the chain is cancelled.
  func end<T, E>(_ step: Core, after source: Overmorrow.Promise<T, E>) -> Core {
    chain.steps.add(limit?.limit(step, in: chain) ?? step, after: source.cancellable)
  }

  /// Does the work when the chain is not suspended. Called where it is to run.
  ///
  /// - Parameter isForEnd: Whether it is done even if the chain has been cancelled.
  func run(_ input: Input, isForEnd: Bool = false) -> Core {
    let input = Kept(input)
    return chain.pause.whenOpen(on: context) {
      if !isForEnd, chain.steps.isCancelled { return Core(rejected: PromiseError.cancelled) }
      limit?.begin()
      return tryAll(input)
    }
  }

  private func tryAll(_ input: Kept<Input>) -> Core {
    let begin: @Sendable () -> Core = { [attempt, limit] in
      Core.rejectedIfThrown { () throws(any Error) in
        guard let limit else { return try attempt.value(input.value) }
        return try limit.call.run { try attempt.value(input.value) }
      }
    }
    guard retries > 0 else { return begin() }
    let policy = PromiseRetryPolicy<any Error>(attempts: retries + 1).onlyIf { [chain] _ in !chain.steps.isCancelled }
    return Core.retry(policy, on: .nowOr(context)) { [chain, context] _ in chain.pause.whenOpen(on: context, begin) }
  }
}
