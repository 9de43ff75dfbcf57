public import Foundation
public import Overmorrow

/// An operation whose work produces a promise.
///
/// The work begins when the operation is started, by its queue or by `start()`, and the operation is finished when the
/// promise has resolved. So promises can have dependencies, wait for their turn on a queue with a
/// `maxConcurrentOperationCount`, and live beside other operations.
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
/// Cancelling goes both ways: ``cancel()`` asks the promise to cancel, and a request to cancel ``promise`` cancels the
/// operation. An operation that has not started then never runs its work; its promise is cancelled when its queue
/// finishes it. After the start the work decides, as with any promise. An operation that is released before it was
/// started cancels its promise.
///
/// Sendable: what it adds to `Operation`, which may be used from any thread, is constant or behind a lock.
public final class PromiseOperation<Value: Sendable, Failure: Sendable>: Operation, @unchecked Sendable {
  /// What resolves the promise.
  public typealias Resolver = Promise<Value, Failure>.Resolver

  private enum Phase {
    case waiting, executing, finished
  }

  private struct State {
    var phase = Phase.waiting
    /// What is needed to start; taken out by the start.
    var start: (make: @Sendable () -> Promise<Value, Failure>, resolver: Resolver)?
  }

  private let state = Guarded(State())

  /// What the work produces. It can be observed before the work has begun.
  ///
  /// The operation is finished by the time a callback of it runs. When all of its children have asked to cancel, the
  /// operation is cancelled, although it holds this promise.
  public let promise: Promise<Value, Failure>

  /// An operation that runs a closure when it is started.
  ///
  /// - Fulfils, fails, cancels: as the resolver is told to, during the call or later. Also cancels when the last copy
  ///   of the resolver is released unused, and when an executor drops the body unrun.
  /// - Runs on: `context`; with `.immediate`, where the operation is started, such as on its queue.
  /// - Parameters:
  ///   - context: Where the body runs. `.nowOr(context)` means `context`.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - body: The work. It resolves the promise through the resolver.
  @_disfavoredOverload
  public convenience init(
    on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (_ resolver: Resolver) -> Void
  ) {
    self.init(running: body, on: context, site: CallSite(fileID, line))
  }

  /// As `init(on:_:)`, by a name that a drop-in module can call from its own.
  package init(
    running body: @escaping @Sendable (_ resolver: Resolver) -> Void, on context: PromiseContext, site: CallSite
  ) {
    let (inner, resolver) = Promise<Value, Failure>.makeForLibrary(at: site, by: .operation)
    let finisher = Finisher()
    // The operation holds this promise for its readers. This must not block a request that all of them make.
    promise = inner.propagatingCancellation(on: .immediate) { _ in }
    // Its first observer: others find the operation finished, and operations that depend on this one find the result.
    promise.whenOver { _ in finisher.operation?.enter(.finished) }
    super.init()
    finisher.operation = self
    state.withLock { $0.start = ({ Promise(running: body, on: context.later, site: site) }, resolver) }
    resolver.onRequestCancelWhileKept { [weak self] _ in self?.cancel() }
  }

  /// Refers to the operation, for an observer that is registered before the operation exists.
  private final class Finisher: @unchecked Sendable {
    // Sendable: written once, before the operation is shared; reading a weak reference is atomic.
    weak var operation: PromiseOperation?
  }

  /// Asks the promise to cancel; an operation that has not started will not run its work.
  public override func cancel() {
    super.cancel()
    promise.requestCancel()
  }

  /// Runs the work, unless the operation has been cancelled or started before. A queue calls this.
  public override func start() {
    guard let (make, resolver) = state.withLock({ $0.start.take() }) else { return }
    if isCancelled { return resolver.cancel() }
    enter(.executing)
    resolver.resolve(with: make())
  }

  /// `true`: the operation goes on after `start()` has returned.
  public override var isAsynchronous: Bool { true }
  /// Whether the work has begun and the promise is unresolved.
  public override var isExecuting: Bool { state.withLock { $0.phase == .executing } }
  /// Whether the promise has resolved.
  public override var isFinished: Bool { state.withLock { $0.phase == .finished } }

  /// Changes the phase, and notifies the queue outside the lock, as observers of the properties read them.
  ///
  /// By the keys that Foundation documents: key paths would name the Objective-C properties, such as "finished", on
  /// Apple's platforms.
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
  /// An operation that runs a closure when it is started, and whose promise is rejected with what the closure throws.
  ///
  /// - Fulfils, fails, cancels: as the resolver is told to, during the call or later. Also cancels when the last copy
  ///   of the resolver is released unused, and when an executor drops the body unrun.
  /// - Runs on: `context`; with `.immediate`, where the operation is started, such as on its queue.
  /// - Parameters:
  ///   - context: Where the body runs. `.nowOr(context)` means `context`.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - body: The work. It resolves the promise through the resolver.
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
