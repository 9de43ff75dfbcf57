@_spi(Adapters) internal import Overmorrow
@_spi(Adapters) internal import OvermorrowFlow

/// The work of one step, with its queue, its number of attempts and its time limit.
struct Work<Input, Output>: Sendable {
  typealias Core = Promise<Output>.Core

  let context: PromiseContext
  private let retries: Int
  private let limit: TimeLimit?
  private let chain: Chain
  private let attempt: Kept<(Input) throws -> Core>

  init(
    on context: PromiseContext, timeout: Double = 0, retry: Int = 0, in handle: ChainHandle,
    _ attempt: @escaping (Input) throws -> Core
  ) {
    self.context = context
    retries = max(0, min(retry, .max - 1))
    limit = TimeLimit(timeout, handle.pause)
    chain = handle.chain
    self.attempt = Kept(attempt)
  }

  /// Returns a promise for the result of the step. The promise returned is rejected if the time limit passes first, or
  /// if the chain is cancelled first.
  func end<T, E>(_ step: Core, after source: Overmorrow.Promise<T, E>) -> Core {
    chain.steps.add(limit?.limit(step, in: chain) ?? step, after: source.cancellable)
  }

  /// Does the work. If the chain is suspended, the work is done when the chain has been resumed. This method is called
  /// on the context of the work.
  ///
  /// - Parameter isForEnd: Whether to run the work even if the chain has been cancelled.
  func run(_ input: Input, isForEnd: Bool = false) -> Core {
    let input = Kept(input)
    return chain.pause.whenUnblocked(on: context) {
      if !isForEnd, chain.steps.isCancelled { return Core(rejected: PromiseError.cancelled) }
      limit?.begin()
      return tryAll(input)
    }
  }

  private func tryAll(_ input: Kept<Input>) -> Core {
    let begin: @Sendable () -> Core = { [attempt] in
      do { return try attempt.value(input.value) } catch { return Core(rejected: error) }
    }
    guard retries > 0 else { return begin() }
    let policy = PromiseRetryPolicy<any Error>(attempts: retries + 1).onlyIf { [chain] _ in !chain.steps.isCancelled }
    return Core.retry(policy, on: .nowOr(context)) { [chain, context] _ in
      chain.pause.whenUnblocked(on: context, begin)
    }
  }
}
