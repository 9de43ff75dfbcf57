public import OvermorrowDiagnostics
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
  @usableFromInline
  package static func makeForLoad(at site: CallSite, by kind: ProducerKind = .load) -> (Promise, Resolver) {
    make([.library, .findsCycles], at: site, by: kind)
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
  /// Whether the promise was asked to cancel, and nothing observes it or has a vote. Steps of the library that may end
  /// do not count. If the promise forwards requests while it has a handle, nothing can observe it any more.
  @usableFromInline
  package var isUnneeded: Bool {
    object.withCore { $0.hasBeenAskedToCancel && $0.votesNow.count == 0 && $0.hasNoLiveWaiter } ?? false
  }

  /// Runs the body of the promise on a context, at most once. If the promise has a scope of checks, the body runs in
  /// that scope.
  package func run(_ body: @escaping @Sendable (Self) -> Void, on context: PromiseContext) {
    OneShot { object.inScope { body(self) } }.run(on: context)
  }

  /// A reference to the promise that is not a resolver; `nil` if the promise is resolved.
  package var weakPromise: WeakPromise? { object.withCore { WeakPromise($0) } }
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

/// A weak reference to a promise. No request to cancel is made through it, except to a promise that has a handler of
/// requests, and so stays in its chain.
package struct WeakPromise: Sendable {
  let core: WeakCore

  fileprivate init(_ core: CoreRef) { self.core = WeakCore(core, isExposed: false) }

  package init<Value, Failure>(_ promise: Promise<Value, Failure>) { self.init(promise.handle.core) }

  /// Whether code may still wait for the promise. Code may wait while the promise is unresolved and has a handle or a
  /// vote.
  package var mayBeAwaited: Bool { core.read { !$0.state.isResolved && !$0.votesNow.isUnreachable } ?? false }

  /// Asks a promise of ``Promise/makeChildCancelledOnRequest()`` to cancel.
  package func requestCancel() { core.requestCancel() }

  /// Whether the promise was asked to cancel, is cancelled, or has ended.
  package var hasRequestedCancel: Bool { core.read(\.hasRequestedCancel) ?? true }
}

/// A step of the library that waits for another promise, and then for its turn on a context. The object retains neither
/// promise. It retains the memory of their results.
package final class TurnOfStep: Sendable {
  private let step: Owned
  private let source: Owned
  private let isNeededForValue: Bool

  /// - Parameters:
  ///   - step: The promise of the step.
  ///   - source: The promise that the step waits for.
  ///   - isNeededForValue: Whether a request to cancel leaves the step its turn if the other promise has a value.
  package init<Value, Failure, Input, InputFailure>(
    of step: Promise<Value, Failure>, after source: Promise<Input, InputFailure>, isNeededForValue: Bool
  ) {
    self.step = withExtendedLifetime(step) { Owned(step.handle.core) }
    self.source = withExtendedLifetime(source) { Owned(source.handle.core) }
    self.isNeededForValue = isNeededForValue
  }

  /// Cancels the step as soon as the other promise has resolved, also while the step waits for its turn. Called after a
  /// request to cancel.
  package func end() {
    let (source, isNeededForValue) = (WeakCore(source.core, isExposed: false), isNeededForValue)
    let step = Owned(step.core)
    // The action has no count on the source, because the source may end early only without such a count.
    self.source.core.whenResolvedOrUnneeded {
      if !isNeededForValue || source.read(\.outcome) != .value { step.core.cancelWaiting() }
    }
  }
}

/// The promises for which a promise of the library waits. They may begin one after another.
///
/// A request to cancel the waiting promise goes to all of them. If the waiting promise was asked to cancel and nothing
/// observes it, the waits end, and their closures are released.
package struct PromiseInputs<Value: Sendable, Failure: Sendable>: Sendable {
  private let resolver: Promise<Value, Failure>.Resolver
  private let steps = WaitingSteps(mayEndUnobserved: true)

  /// - Parameter resolver: The resolver of the waiting promise, which is not shared yet.
  package init(of resolver: Promise<Value, Failure>.Resolver) {
    self.resolver = resolver
    resolver.wait(through: steps)
  }

  /// Waits for one more promise, with one vote, and calls a closure with its result.
  package func wait(
    for promise: Promise<Value, Failure>, _ onEnd: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) {
    resolver.object.withCore { core in
      withExtendedLifetime(promise) { CoreNote.follower(of: core)?.noteInput(promise.handle.core) }
    }
    let step = promise.observe(
      ReportStep<Value, Failure, WithdrawableVote>.self, on: .immediate, gate: nil, .init(onEnd)
    ).handle
    CoreNote.follower(of: step.core)?.noteInternal()
    steps.add(step)
  }

  /// Asks all promises to cancel, also those that begin later.
  package func requestCancel() { steps.requestCancel() }

  /// Ends all waits.
  package func end() { steps.dropWaiting() }
}
