/// Makes cores with their types, and gives each its first content before the core is shared.
extension CoreOperations {
  // Unsafe, in each of these functions: no other thread has the new core, whose payload is empty.

  @inlinable
  @inline(__always)
  package static func makeFulfilled(with value: consuming Value) -> PromiseHandle {
    let handle = makeResolved(.value)
    unsafe handle.core.move(value)
    return handle
  }

  @inlinable
  @inline(__always)
  package static func makeRejected(with error: consuming Failure) -> PromiseHandle {
    let handle = makeResolved(.error)
    unsafe handle.core.move(error)
    return handle
  }

  @inlinable
  @inline(__always)
  package static func makeCancelled() -> PromiseHandle { makeResolved(.cancelled) }

  @inlinable
  @inline(__always)
  static func makeResolved(_ outcome: Outcome) -> PromiseHandle {
    PromiseHandle.makeResolved(outcome, words: words, traits: traits, operations: operations)
  }

  @inlinable
  @inline(__always)
  package static func makeWithResolver(_ more: Traits) -> (PromiseHandle, ResolverClaim) {
    PromiseHandle.makeWithResolver(words: words, traits: traits.union(more), operations: operations)
  }

  /// Makes a step with a callback, which is made from the address of the step's promise. The caller then registers the
  /// step.
  ///
  /// - Parameter make: A function that makes a step from these words, traits and operations.
  @inlinable
  @inline(__always)
  package static func makeStep(
    _ callback: (_ address: UInt) -> Callback, by make: (Int, Traits, @escaping Operations) -> PromiseHandle
  ) -> PromiseHandle {
    let handle = make(words, traits, operations)
    unsafe handle.core.write(callback(handle.core.address))
    return handle
  }

  /// Makes a step that has no handle. The caller then registers the step, and the step may end during that call.
  ///
  /// - Parameter make: A function that makes a sealed step from these words, traits and operations.
  @inlinable
  @inline(__always)
  package static func makeReporting(
    _ callback: Callback, by make: (Int, Traits, @escaping Operations) -> CoreRef
  ) -> CoreRef {
    let core = make(words, traits, operations)
    unsafe core.write(callback)
    return core
  }

  /// Makes a step that has no handle. The caller then registers the step, and has a count on it.
  @inlinable
  @inline(__always)
  package static func makeKept(_ callback: Callback) -> Owned {
    let step = CoreState.makeKept(words: words, traits: traits, operations: operations)
    unsafe step.core.write(callback)
    return step
  }
}

extension Payload {
  /// Writes a promise to adopt.
  @inlinable
  @inline(__always)
  package func write(_ promise: PromiseHandle) -> OperationResult {
    // Unsafe: the payload is empty, and the result says what it contains.
    unsafe core.write(promise)
    return .promise
  }
}
