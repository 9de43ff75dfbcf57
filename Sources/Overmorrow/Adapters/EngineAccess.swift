public import OvermorrowEngine

// The functions of the engine that the modules above the core call. These modules use no cores, and of the engine only
// its tools, in `Support` and `HandOver`.

extension PromiseContext {
  /// Runs work on this context. On `.immediate` and `.nowOr`, runs the work inside this call. If an executor drops the
  /// work, the work is released without running.
  package func perform(_ work: @escaping @Sendable () -> Void) { Pass.perform(on: self, work) }
}

extension PromiseCancellable {
  /// Runs an action after all requests to cancel that this thread is making. If the thread is making no request, runs
  /// the action inside this call.
  package static func afterRequests(_ action: @escaping @Sendable () -> Void) { RequestLoop.afterwards(action) }

  /// Runs code that makes several requests. The actions of ``afterRequests(_:)`` begin after all of them.
  package static func together(_ requests: () -> Void) { RequestLoop.together(requests) }
}

extension Promise {
  /// Whether there is a value. Unlike a read of `result`, a read of this property does not count as reading an error.
  @inlinable
  package var hasValue: Bool { withExtendedLifetime(handle) { handle.core.outcome == .value } }

  /// Creates an unresolved promise and its resolver, like ``makeForLibrary(at:by:)``. In every build, the promise is
  /// cancelled if it is resolved with a promise that waits for it.
  package static func makeForLoad(at site: CallSite) -> (Promise, Resolver) {
    make([.library, .findsCycles], at: site, by: .load)
  }

  /// Creates the promise of an operation and its resolver. The promise is asked to cancel as soon as all its children
  /// have asked, even while it has a handle.
  package static func makeForOperation(at site: CallSite) -> (Promise, Resolver) {
    let (promise, resolver) = make([], at: site, by: .operation)
    promise.forwardRequestsWhileHeld()
    return (promise, resolver)
  }

  /// Makes the promise receive a request as soon as all its children have asked, even while it has a handle. The
  /// promise must have been made with a resolver, and must not be shared yet.
  @_spi(Handles)
  public func forwardRequestsWhileHeld() { handle.core.forwardRequestsWhileHeld() }
}

extension Promise.Resolver {
  /// Runs the body of the promise on a context, at most once. If the promise has a scope of checks, the body runs in
  /// that scope.
  package func run(_ body: @escaping @Sendable (Self) -> Void, on context: PromiseContext) {
    OneShot { object.inScope { body(self) } }.run(on: context)
  }
}

extension Promise.Resolver {
  /// Does the same as ``run(_:on:)`` for a promise that code may already wait for. Records that the promise needs the
  /// context, so that a wait that blocks the context is found.
  package func start(_ body: @escaping @Sendable (Self) -> Void, on context: PromiseContext) {
    _ = object.withCore { $0.bodyWaits(on: context) }
    run(body, on: context)
  }
}

extension PromiseInvalidationToken {
  /// Returns a closure that returns whether the token has been invalidated since this call. The closure does not retain
  /// the token.
  package func invalidationCheck() -> @Sendable () -> Bool {
    let gate = gate
    return { gate.isShut }
  }
}

/// A weak reference to a promise, through which no request to cancel is made.
package struct WeakPromise: Sendable {
  private let core: WeakCore

  package init<Value, Failure>(_ promise: Promise<Value, Failure>) {
    core = WeakCore(promise.handle.core, isExposed: false)
  }

  /// Whether code may still wait for the promise. Code may wait while the promise is unresolved and has a handle or a
  /// vote.
  package var mayBeAwaited: Bool { core.read { !$0.state.isResolved && !$0.votesNow.isUnreachable } ?? false }
}
