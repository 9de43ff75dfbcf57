public import Foundation
public import Overmorrow
internal import OvermorrowEngine

/// An operation whose work produces a promise.
///
/// The work begins when the operation is started, by its queue or by `start()`. The operation finishes when the promise
/// is resolved. Promises can thus have dependencies, wait for their turn on a queue with a
/// `maxConcurrentOperationCount`, and be mixed with other operations.
///
/// ```swift
/// let download = PromiseOperation<Data, any Error>(on: .immediate) { resolver in
///   resolver.resolve(with: load(source))
/// }
/// let unpacking = PromiseOperation<[String], any Error>(on: .immediate) { resolver in
///   resolver.resolve(with: download.promise.map(on: .immediate) { unpack($0) })
/// }
/// unpacking.addDependency(download)
/// queue.addOperations([download, unpacking], waitUntilFinished: false)
/// return unpacking.promise
/// ```
///
/// Cancellation works in both directions: ``cancel()`` requests the cancellation of the promise, and a request to
/// cancel ``promise`` cancels the operation. If the operation is cancelled before it has started, its work never runs.
/// The promise is then cancelled when the queue finishes the operation. If the operation is cancelled after it has
/// started, the work decides whether to cancel the promise. An operation that is released before it was started cancels
/// its promise.
///
/// Sendable because `Operation` may be used from any thread, and the added properties are constant or behind a lock.
public final class PromiseOperation<Value: Sendable, Failure: Sendable>: Operation, @unchecked Sendable {
  /// The resolver of the promise.
  public typealias Resolver = Promise<Value, Failure>.Resolver

  private enum Phase {
    case waiting, executing, finished
  }

  private struct State {
    var phase = Phase.waiting
    /// What the start needs; `nil` after the start.
    var start: (body: @Sendable (Resolver) -> Void, context: PromiseContext, resolver: Resolver)?
  }

  private let state = Guarded(State())

  /// The promise of the work. It can be observed before the work has begun.
  ///
  /// When a callback of the promise runs, the operation has already finished. When all children of the promise have
  /// requested cancellation, the operation is cancelled. The operation's own handle of the promise does not prevent the
  /// cancellation.
  public let promise: Promise<Value, Failure>

  /// Creates an operation that runs a closure when it is started.
  ///
  /// - Fulfils, fails, cancels: when the body resolves the promise, inside its call or later. Also cancels if the
  ///   promise is unresolved when the last copy of the resolver is released, or if an executor drops the body without
  ///   running it.
  /// - Runs on: `context`. With `.immediate`, the thread that starts the operation, such as a thread of its queue.
  /// - Parameters:
  ///   - context: The context of the body. `.nowOr(context)` means `context`.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - body: A closure that does the work and resolves the promise through the resolver.
  @_disfavoredOverload
  public convenience init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (_ resolver: Resolver) -> Void
  ) {
    self.init(running: body, on: context, site: CallSite(fileID, line))
  }

  private init(
    running body: @escaping @Sendable (_ resolver: Resolver) -> Void, on context: PromiseContext, site: CallSite
  ) {
    // The operation holds a handle for readers of `promise`. That handle does not prevent the cancellation if all
    // children request it. The body receives the resolver of this promise, so that a request reaches the body while the
    // body runs.
    let (promise, resolver) = Promise<Value, Failure>.makeForOperation(at: site)
    let finisher = Finisher()
    self.promise = promise
    // This observer is registered first, so that later observers find the operation finished. The observer runs after
    // the promise was resolved, so that dependent operations find the result.
    promise.whenResolved { _ in finisher.operation?.enter(.finished) }
    super.init()
    finisher.operation = self
    state.withLock { $0.start = (body, context.later, resolver) }
    resolver.onRequestCancel(on: .immediate) { [weak self] _ in self?.cancel() }
  }

  deinit {
    // An operation that was never started resolves its promise deliberately, so that this is not reported.
    state.withLock { $0.start.take() }?.resolver.cancel()
  }

  /// A reference to the operation for an observer that is registered before the operation exists.
  private final class Finisher: @unchecked Sendable {
    // Sendable because the reference is written once, before the operation is shared, and reading a weak reference is
    // atomic.
    weak var operation: PromiseOperation?
  }

  /// Requests the cancellation of the promise. If the operation has not started, its work never runs.
  public override func cancel() {
    super.cancel()
    promise.requestCancel()
  }

  /// Runs the work, or cancels the promise if the operation was cancelled. A second call does nothing. The queue of the
  /// operation calls this method.
  public override func start() {
    guard let (body, context, resolver) = state.withLock({ $0.start.take() }) else { return }
    if isCancelled { return resolver.cancel() }
    enter(.executing)
    resolver.start(body, on: context)
  }

  /// `true`, because the operation continues after `start()` has returned.
  public override var isAsynchronous: Bool { true }
  /// Whether the work has begun and the promise is unresolved.
  public override var isExecuting: Bool { state.withLock { $0.phase == .executing } }
  /// Whether the promise has been resolved.
  public override var isFinished: Bool { state.withLock { $0.phase == .finished } }

  /// Changes the phase and notifies the queue. The lock is free during the notification, because observers read the
  /// properties.
  ///
  /// Uses the keys that Foundation documents, because key paths would name the Objective-C properties, such as
  /// "finished", on Apple's platforms.
  private func enter(_ phase: Phase) {
    let wasExecuting = isExecuting
    let (executing, finished) = (phase == .executing || wasExecuting, phase == .finished)
    if executing { willChangeValue(forKey: "isExecuting") }
    if finished { willChangeValue(forKey: "isFinished") }
    state.withLock { $0.phase = phase }
    if executing { didChangeValue(forKey: "isExecuting") }
    if finished { didChangeValue(forKey: "isFinished") }
  }
}

extension PromiseOperation where Failure: Error {
  /// Creates an operation that runs a closure when it is started. If the closure throws, the promise is rejected with
  /// the error.
  ///
  /// - Fulfils, fails, cancels: when the body resolves the promise, inside its call or later. Also cancels if the
  ///   promise is unresolved when the last copy of the resolver is released, or if an executor drops the body without
  ///   running it.
  /// - Runs on: `context`. With `.immediate`, the thread that starts the operation, such as a thread of its queue.
  /// - Parameters:
  ///   - context: The context of the body. `.nowOr(context)` means `context`.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - body: A closure that does the work and resolves the promise through the resolver.
  public convenience init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (_ resolver: Resolver) throws(Failure) -> Void
  ) {
    self.init(
      running: { resolver in
        do throws(Failure) { try body(resolver) } catch { resolver.resolve(with: .thrown(error)) }
      }, on: context, site: CallSite(fileID, line))
  }
}
