public import Overmorrow
internal import OvermorrowDiagnostics
public import OvermorrowEngine

/// Async work whose promises other tasks may wait for, such as the load of a key of a cache.
///
/// The work is the holding of its code, and each holding knows the work to which its code belongs. So the work can
/// record the promises that its own tasks request from other work. If the recorded requests form a cycle, none of the
/// requested promises in the cycle can resolve.
///
/// Code that waits for the work waits until the holding ends. Only the task of the work counts there, because the work
/// may end while tasks that it has created still wait.
@usableFromInline
class SharedWork: TaskHolding, HoldingSource, @unchecked Sendable {
  // Sendable: the state has a lock.

  /// The work to which the current code belongs.
  static var current: SharedWork? { TaskHolding.local.get()?.sharedWork }

  /// A promise that the work has requested from other work.
  private struct Request: Sendable {
    let work: SharedWork
    let promise: WeakPromise

    var isOpen: Bool { promise.mayBeAwaited }
  }

  private struct State {
    /// The promises that the work has requested, or `nil` if there are none.
    var requests: SweptList<Request>?
    var task: Task<Void, Never>?
    /// The number of the task, if the task has begun before `task` was set.
    var number: Int?
    /// The highest priority of the callers that have joined the work.
    var joined: UInt8
    var isCancelled = false
    var isOver = false
  }

  private final let state: Guarded<State>

  /// Creates work that belongs to the current code.
  ///
  /// - Parameter keepsPriority: Whether callers that join the work leave its priority as it is.
  init(keepsPriority: Bool) {
    state = Guarded(State(joined: keepsPriority ? .max : 0))
    super.init(within: TaskHolding.innermost)
  }

  /// Whether requests of the current code are recorded or shown, because the code belongs to shared work or holds
  /// something, or because diagnostics are on.
  @usableFromInline static var recordsRequests: Bool {
    // The first question determines the level, without which the switch counts as on.
    TaskHolding.local.get() != nil || Diagnostics.isWatching || DiagnosticsSwitch.isOn
  }

  /// Records that the current code requests a promise of this work.
  ///
  /// - Returns: `false` if the promise would wait for itself, because this work waits, directly or through other work,
  ///   for the work to which the current code belongs.
  final func admits<Value, Failure>(_ promise: Promise<Value, Failure>) -> Bool {
    guard let current = Self.current else { return true }
    return admits(WeakPromise(promise), by: current)
  }

  /// Does the same for a promise that other work has requested.
  final func admits(_ promise: WeakPromise, by current: SharedWork) -> Bool {
    let request = Request(work: self, promise: promise)
    // The request is recorded before the search for a cycle. So if two tasks request promises of each other's work, at
    // least one task finds the request of the other task.
    let swept = current.state.withLock { state in
      var requests = state.requests.take() ?? SweptList()
      defer { state.requests = requests }
      return requests.append(request) { !$0.isOpen }
    }
    return withExtendedLifetime(swept) { !waits(for: current) }
  }

  /// Whether this work waits for the work to which the current code belongs. Unlike ``admits(_:)``, records nothing.
  final var waitsForCurrentWork: Bool {
    guard let current = Self.current else { return false }
    return waits(for: current)
  }

  private final func waits(for other: SharedWork) -> Bool {
    var (open, seen) = ([self], Set([ObjectIdentifier(self)]))
    while let work = open.popLast() {
      if work === other { return true }
      for request in work.state.withLock({ $0.requests?.elements ?? [] }) where request.isOpen {
        if seen.insert(ObjectIdentifier(request.work)).inserted { open.append(request.work) }
      }
    }
    return false
  }

  // MARK: The task

  /// Starts the task of the work by a closure that creates it. The task has the work as its holding.
  @usableFromInline
  final func start(_ makeTask: () -> Task<Void, Never>) {
    let task = TaskHolding.local.withValue(self, operation: makeTask)
    let (joined, isCancelled) = state.withLock { state in
      if !state.isOver { state.task = task }
      return (state.joined, state.isCancelled)
    }
    if joined > 0, joined < .max { SharedWork.raise(task, to: TaskPriority(rawValue: joined)) }
    if isCancelled { task.cancel() }
  }

  /// Records that the current task runs the code of the work.
  @usableFromInline
  final func begin() {
    // The number costs several hundred instructions, and is seldom needed.
    if state.withLock({ $0.task != nil }) { return }
    let task = CurrentTask.number
    state.withLock { $0.number = task }
  }

  /// Cancels the task of the work.
  final func cancelTask() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  /// Records that the work has ended and waits for no other work.
  final func end() {
    let (requests, task) = state.withLock { state in
      state.isOver = true
      return (state.requests.take(), state.task.take())
    }
    withExtendedLifetime((requests, task)) {}
    releaseOuter()
  }

  /// Raises the priority of the work's task to that of the current task, which has joined the work.
  @usableFromInline
  final func raise() {
    let priority = Task.currentPriority
    let task = state.withLock { state -> Task<Void, Never>? in
      guard priority.rawValue > state.joined else { return nil }
      state.joined = priority.rawValue
      return state.task
    }
    if let task { SharedWork.raise(task, to: priority) }
  }

  /// Does nothing if the task has this priority or a higher one.
  private static func raise(_ task: Task<Void, Never>, to priority: TaskPriority) {
    // The handlers of the task run inside this call, so that no lock may be held.
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { task.escalatePriority(to: priority) }
  }

  // MARK: The holding

  override final var isOver: Bool { state.withLock { $0.isOver } }

  override final func waits(with task: Int?) -> Bool {
    state.withLock { $0.number != nil && $0.number == task || $0.task != nil && $0.task?.hashValue == task }
  }

  final func needs(first count: Int) -> HoldingNeeds? { isOver ? nil : ([.holding(self)], 1) }

  /// Begins the wait of the current code for a promise of the work. Returns `nil` if the code holds nothing, or if the
  /// promise is resolved. Otherwise, ``TaskHolding/endWait()`` must follow. If the wait could never end, reports the
  /// cycle, withdraws the vote of the promise, and throws.
  @usableFromInline
  final func beginWait(for promise: UntypedPromise, _ site: CallSite) throws(PromiseRefusalError) -> TaskHolding? {
    guard !promise.isResolved, let holding = TaskHolding.innermost, !isOver else { return nil }
    let wait = TaskHolding(within: holding)
    if wait.beginWait(for: self) { return wait }
    Diagnostics.report(.resolvedWithItself(origin: site.text))
    promise.reference.requestCancel()
    throw .waitsForItself
  }
}
