public import Overmorrow
public import OvermorrowDiagnostics
public import OvermorrowEngine

/// Loads the values of several keys by one call.
///
/// ```swift
/// let users = PromiseBatcher<Int, String>(maxSize: 100, on: .main) { ids in fetchNames(of: ids) }
/// let names = [users.promise(for: 1), users.promise(for: 2)]  // one call of fetchNames, with [1, 2]
/// ```
///
/// The first call for a key opens a batch, and submits the start of the batch to the context. Calls join the batch
/// until the context runs this start. So on a main queue or an actor, all calls of the code that is running there
/// share one batch. With a `window`, the start is submitted when the window has ended, so calls from several threads
/// share a batch. While the context is busy then, further calls still join. A batch that has `maxSize` calls starts at
/// once.
///
/// A batcher keeps no values. To share the values of later calls, too, ask a batcher in the load of a ``PromiseCache``.
/// **A batcher may be used from any thread.** It loads each batch even after its last reference has been released.
public final class PromiseBatcher<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline let core: BatcherCore
  /// Returns the load of a batch. Called inside the first call of the batch.
  @usableFromInline let makeLoad: @Sendable (_ site: CallSite) -> Load

  /// Creates a batcher whose batches are loaded by a closure that returns a promise.
  ///
  /// - Parameters:
  ///   - maxSize: The largest number of calls in a batch. A value below 1 counts as 1. `nil`, the default, means no
  ///     limit.
  ///   - window: The time from the first call of a batch to its start. With zero or less, the start is submitted inside
  ///     the first call. Zero by default.
  ///   - clock: The clock that measures the window. The continuous clock by default.
  ///   - context: The context on which a batch starts. With `.immediate` and no window, each call is its own batch when
  ///     all calls are made from one thread. After a window, `.immediate` counts as `.default`. `.nowOr` counts as its
  ///     inner context.
  ///   - load: A closure that starts the load of the values of keys. The keys are different, and in the order of the
  ///     calls.
  public convenience init(
    maxSize: Int? = nil, window: Duration = .zero, clock: any Clock<Duration> = ContinuousClock(),
    on context: PromiseContext,
    load: @escaping @Sendable (_ keys: [Key]) throws -> Promise<[Key: Value], any Error>
  ) {
    self.init(BatcherCore(maxSize, window, clock, on: context)) { _ in
      { keys in
        do { return try load(keys) } catch { return Promise(with: .thrown(error), site: .library) }
      }
    }
  }

  /// Creates a batcher whose batches are loaded by an async closure.
  ///
  /// ```swift
  /// let pages = PromiseBatcher<String, String>(window: .milliseconds(2)) { urls in try await service.pages(at: urls) }
  /// ```
  ///
  /// The load of a batch runs in its own task, with the task-local values and the priority of the first call of the
  /// batch. A batch starts on the actor that `load` is isolated to, or on `.default` if `load` is not isolated.
  ///
  /// - Parameters:
  ///   - maxSize: The largest number of calls in a batch. A value below 1 counts as 1. `nil`, the default, means no
  ///     limit.
  ///   - window: The time from the first call of a batch to its start. Zero by default.
  ///   - clock: The clock that measures the window. The continuous clock by default.
  ///   - load: The async closure that loads the values of keys. The keys are different, and in the order of the calls.
  public convenience init(
    maxSize: Int? = nil, window: Duration = .zero, clock: any Clock<Duration> = ContinuousClock(),
    @_inheritActorContext(always) load:
      @escaping @Sendable @isolated(any) (_ keys: [Key]) async throws -> [Key: Value]
  ) {
    let context = PromiseContext.isolated(to: load.isolation, otherwise: .default)
    self.init(BatcherCore(maxSize, window, clock, on: context)) { site in
      // The load serves several calls, so it does not count as code of the load or of the turn of the first call.
      let tasks = TaskHolding.local.withValue(nil) { CallerTasks() }
      let priority = Task.currentPriority
      return { keys in tasks.promise(priority: priority, at: site) { try await load(keys) } }
    }
  }

  init(_ core: BatcherCore, _ makeLoad: @escaping @Sendable (_ site: CallSite) -> Load) {
    self.core = core
    self.makeLoad = makeLoad
  }

  /// Returns a promise for the value of a key, which is loaded together with the keys of other calls.
  ///
  /// - Fulfils: with the value of the key.
  /// - Fails: with the error of the load. With ``PromiseMissingKeyError`` if the loaded values do not contain the key.
  /// - Cancels: if the load of the batch is cancelled. A request to cancel cancels the promise at once. If all promises
  ///   of a batch have been cancelled, the load is asked to cancel, or does not begin.
  /// - Order: the promises of a batch are resolved in the order of the calls.
  /// - Parameters:
  ///   - key: The key to load.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  @inlinable
  public func promise(
    for key: Key, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise<Value, any Error> {
    let site = CallSite(fileID, line)
    let (promise, resolver) = Promise<Value, any Error>.makeForLibrary(at: site, by: .load)
    if UntypedPromise.isWatching { resolver.noteKey(key) }
    let call = KeyCall(key, UntypedResolver(resolver))
    let (batch, isNew) = core.join(call, UntypedPromise(promise))
    resolver.onRequest { _ in batch.withdraw(call) }
    if isNew { open(batch, at: site) }
    return promise
  }

  /// Returns the value of a key, which is loaded together with the keys of other calls. The calling task is suspended
  /// until the value arrives.
  ///
  /// A task that is cancelled already starts and joins no batch. If the task is cancelled while it waits, the call
  /// throws at once, and withdraws its key from the batch.
  ///
  /// - Parameters:
  ///   - key: The key to load.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  /// - Throws: The error of the load. ``PromiseMissingKeyError`` if the loaded values do not contain the key.
  ///   `CancellationError` if the load or the calling task is cancelled.
  @inlinable
  nonisolated(nonsending) public func value(
    for key: Key, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws -> Value {
    try Task.checkCancellation()
    return try await promise(for: key, fileID: fileID, line: line).value
  }
}
