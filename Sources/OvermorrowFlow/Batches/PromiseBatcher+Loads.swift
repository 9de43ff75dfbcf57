public import Overmorrow
public import OvermorrowEngine

/// The loads of batches. Their code is compiled in the module of the client, because code that does not know its types
/// would spend most of its time with them.
extension PromiseBatcher {
  @usableFromInline typealias Loading = Promise<[Key: Value], any Error>
  @usableFromInline typealias Load = @Sendable (_ keys: [Key]) -> Loading

  /// Starts a new batch, or its window.
  @inlinable
  @inline(never)
  func open(_ batch: KeyBatch, at site: CallSite) {
    let load = makeLoad(site)
    let (loading, resolver) = Loading.makeForLoad(at: site)
    let waits = batch.open(UntypedPromise(loading), UntypedResolver(resolver), in: core) { calls in
      UntypedPromise(load(Self.keys(of: calls)))
    }
    // The observer counts as a reader of the load's error, because each call gets the error.
    loading.whenResolvedOrUnneeded(isReader: true) { Self.resolve(batch.end(), with: $0) }
    if !waits { batch.submit() }
  }

  /// Returns the keys of calls without duplicates, in the order of the calls.
  @inlinable
  static func keys(of calls: [BatchCall?]) -> [Key] {
    var (seen, keys) = (Set<Key>(minimumCapacity: calls.count), [Key]())
    keys.reserveCapacity(calls.count)
    for case let call? in calls {
      if let call = call as? KeyCall<Key>, seen.insert(call.key).inserted { keys.append(call.key) }
    }
    return keys
  }

  /// Resolves the promises of calls with the result of their load.
  @inlinable
  static func resolve(_ calls: [BatchCall?], with result: PromiseResult<[Key: Value], any Error>) {
    for case let call? in calls {
      guard let call = call as? KeyCall<Key> else { continue }
      let resolver = Promise<Value, any Error>.Resolver(call.resolver)
      switch result {
      case .value(let values):
        if let value = values[call.key] {
          resolver.fulfill(with: value)
        } else {
          resolver.reject(with: PromiseMissingKeyError(key: call.key))
        }
      case .error(let error): resolver.reject(with: error)
      case .cancelled: resolver.cancel()
      }
    }
  }
}
