public import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// The calls whose keys are loaded together. A batch depends on no types (`PromiseBatcher+Loads.swift`).
///
/// A batch is open until its load begins, until it is full, or until all its calls have been cancelled. No call is
/// released while the lock is held.
@usableFromInline
final class KeyBatch: Sendable {
  /// Starts the load of the keys of calls. A gap stands for a call that was withdrawn.
  @usableFromInline typealias Load = @Sendable (_ calls: [BatchCall?]) -> UntypedPromise

  private struct State {
    var calls = BatchCalls()
    var isOpen = true
    /// Whether all calls have been withdrawn.
    var isCancelled = false
    /// The promise of the load, until it has ended or is not needed any more.
    var loading: UntypedPromise?
    /// The load, until it begins or is not needed any more.
    var load: Load?
    /// Submits the start of the load, until it is called.
    var start: (@Sendable () -> Void)?
    /// The timer of the window.
    var timer: Timer?

    /// Closes the batch. Returns the closure that submits the start of the load, if it was not called.
    mutating func close() -> (@Sendable () -> Void)? {
      isOpen = false
      return start.take()
    }
  }

  private let state: Guarded<State>

  init(first call: BatchCall) {
    var state = State()
    state.calls.append(call)
    self.state = Guarded(state)
  }

  /// The state of the batch, and the number of the calls that wait.
  var content: (state: String, calls: Int) {
    state.withLock { state in
      let name =
        state.isOpen ? "open" : state.isCancelled ? "cancelled" : state.loading == nil ? "ended" : "closed, loading"
      return (name, state.calls.count)
    }
  }

  /// Adds a call if the batch is open. If the batch is then full, starts its load.
  ///
  /// - Returns: Whether the batch was open.
  func add(_ call: BatchCall, upTo maxSize: Int) -> Bool {
    let (isAdded, start) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      guard state.isOpen, state.calls.count < maxSize else { return (false, nil) }
      state.calls.append(call)
      return (true, state.calls.count == maxSize ? state.close() : nil)
    }
    start?()
    return isAdded
  }

  /// Prepares the start of the load, and starts the window. Called once, when other calls can find the batch.
  ///
  /// - Parameters:
  ///   - loading: The promise of the load. The caller begins to observe it after this call, and then calls ``end()``.
  ///   - resolver: The resolver of that promise, of which the caller keeps no copy.
  /// - Returns: Whether the batch waits for the end of its window. Otherwise, the caller calls ``submit()``.
  @usableFromInline
  func open(
    _ loading: UntypedPromise, _ resolver: UntypedResolver, in core: BatcherCore, _ load: @escaping Load
  ) -> Bool {
    // The closure has the only resolver. If it is released before it has run, for instance by an executor, the promise
    // of the load is cancelled.
    let start = { @Sendable [self, context = core.context] in context.perform { self.run(resolver) } }
    resolver.onRequestCancel { [self] resolver in
      if state.withLock({ $0.load.take() }) != nil { resolver?.cancel() }
    }
    let waits = state.withLock { state in
      (state.loading, state.load, state.start) = (loading, load, start)
      if state.calls.count == core.maxSize { state.isOpen = false }
      return state.isOpen && core.window > .zero
    }
    if waits {
      // The batch stays open until the context runs the start, so that calls join while the context is busy.
      let timer = Timer(after: core.window, on: core.clock) { self.submit() }
      state.withLock { $0.timer = timer }
    }
    return waits
  }

  /// Submits the start of the load to its context, unless this was done before.
  @usableFromInline
  func submit() { state.withLock { $0.start.take() }?() }

  /// Closes the batch, and runs the load if it is needed.
  private func run(_ resolver: UntypedResolver) {
    let (load, calls, start) = state.withLock { state in
      (state.calls.count > 0 ? state.load.take() : nil, state.calls.slots, state.close())
    }
    guard let load = withExtendedLifetime(start, { load }) else { return }
    let endCallback = UntypedPromise.isWatching ? resolver.beginCallback() : nil
    let promise = load(calls)
    endCallback?()
    resolver.resolve(with: promise)
  }

  /// Ends the batch, because the promise of the load has resolved. Returns the calls that wait for the result.
  @usableFromInline
  func end() -> [BatchCall?] {
    let (calls, timer, rest) = state.withLock { state in
      (state.calls.takeAll(), state.timer.take(), (state.close(), state.loading.take(), state.load.take()))
    }
    timer?.cancel()
    return withExtendedLifetime(rest) { calls }
  }

  /// Removes a call and cancels its promise, because the promise was asked to cancel. If no call is left, asks the load
  /// to cancel.
  @usableFromInline
  func withdraw(_ call: BatchCall) {
    let (isRemoved, loading) = state.withLock { state -> (Bool, UntypedPromise?) in
      guard state.calls.remove(call) else { return (false, nil) }
      guard state.calls.count == 0 else { return (true, nil) }
      (state.isOpen, state.isCancelled) = (false, true)
      return (true, state.loading.take())
    }
    if isRemoved { call.resolver.cancel() }
    loading?.reference.requestCancel()
  }
}

extension KeyBatch: WaitSource {
  var needs: WaitNeeds? {
    let loading = state.withLock { $0.loading }
    return loading.map { WaitNeeds([$0.reference.waitNode], clause: "waits for the load of its batch, which is") }
  }
}
