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
      entry.id, entry.origin ?? "", entry.name ?? "", entry.isStep, entry.context ?? "", entry.age, entry.observers,
      entry.upstream, entry.cause)
  }
  print(promise.debugDescription, resolver.debugDescription, resolver.customMirror.children.count)
}

/// Descriptions of the types.
func describe(_ limiter: PromiseLimiter, _ cache: PromiseCache<String, Int, LoadError>) {
  print(limiter.debugDescription, cache.debugDescription)
  print(limiter.customMirror.children.count, cache.customMirror.children.count)
}

/// A context that carries a task-local value.
func carry(_ promise: Promise<Int, LoadError>) {
  promise.then(on: .utility.carrying(Request.$id)) { print($0, Request.id) }
}
