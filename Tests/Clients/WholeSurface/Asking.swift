import Overmorrow
import OvermorrowFlow

nonisolated enum Request {
  @TaskLocal static var id = 0
}

/// Queries what is pending and what it waits for.
func ask(_ promise: Promise<Int, LoadError>, _ resolver: Promise<Int, LoadError>.Resolver) {
  let pending = PromiseDiagnostics.pending()
  print(pending.description, pending.mermaid, pending.omitted, PendingPromises.limit)
  for entry in PromiseDiagnostics.pending(upstreamOf: promise).entries {
    print(
      entry.id, entry.origin ?? "", entry.place ?? "", entry.name ?? "", entry.isStep, entry.context ?? "", entry.age,
      entry.observers,
      entry.upstream, entry.cause, entry.detail ?? "", entry.function ?? "")
  }
  print(promise.debugDescription, resolver.debugDescription, resolver.customMirror.children.count)
}

/// Reads the way of an error.
func follow(_ promise: Promise<Int, LoadError>) {
  promise.catch(on: .immediate) { error in
    guard let trail = PromiseDiagnostics.trail(of: error) else { return }
    print(trail.description, trail.json, trail.omitted, trail.isGuess)
    for entry in trail.entries {
      let kinds: [PromiseTrail.Entry.Kind?] = [.promise, .step, .adoption, PromiseTrail.Entry.Kind(rawValue: "step")]
      print(
        kinds.contains(entry.kind), entry.kind.rawValue, entry.operation ?? "", entry.place ?? "", entry.name ?? "",
        entry.context ?? "", entry.detail ?? "", entry.calls, entry.isRejectedHere, Set([entry]).count)
    }
  }
}

/// Descriptions of the types.
func describe(_ limiter: PromiseLimiter, _ cache: PromiseCache<String, Int, LoadError>) {
  print(limiter.debugDescription, cache.debugDescription)
  print(limiter.customMirror.children.count, cache.customMirror.children.count)
}

/// Descriptions of contexts, chains and references.
func describe(
  _ lazy: LazyPromise<Int, LoadError>, _ bound: BoundPromise<Cellar, Int, LoadError>, _ cancellable: PromiseCancellable,
  _ order: PromiseCompletionOrder<Int, LoadError>
) {
  print(PromiseContext.main.description, lazy.debugDescription, lazy.customMirror.children.count)
  print(bound.debugDescription, cancellable.debugDescription, order.debugDescription)
}

/// Descriptions of the parts that limit, retry and hold back work.
func describe(
  _ pause: PromisePause, _ gate: PromiseGate, _ breaker: PromiseCircuitBreaker, _ rate: PromiseRateLimiter,
  _ keyed: PromiseKeyedRateLimiter<String>, _ batcher: PromiseBatcher<String, Int>, _ progress: PromiseProgress,
  _ policy: PromiseRetryPolicy<LoadError>, _ budget: PromiseRetryBudget, _ times: PromiseHistogram
) {
  print(pause.debugDescription, gate.debugDescription, breaker.debugDescription, rate.debugDescription)
  print(keyed.debugDescription, batcher.debugDescription, progress.debugDescription, policy.debugDescription)
  print(policy.backoff.debugDescription, budget.debugDescription, times.debugDescription)
  for mirror in [
    pause.customMirror, gate.customMirror, breaker.customMirror, rate.customMirror, keyed.customMirror,
    batcher.customMirror, progress.customMirror, budget.customMirror, times.customMirror,
  ] {
    print(mirror.children.count)
  }
}

/// A context that carries a task-local value.
func carry(_ promise: Promise<Int, LoadError>) {
  promise.then(on: .utility.carrying(Request.$id)) { print($0, Request.id) }
}
