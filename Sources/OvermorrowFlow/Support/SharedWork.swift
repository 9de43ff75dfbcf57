internal import Overmorrow
internal import OvermorrowEngine

/// Async work whose promises other tasks may wait for, such as the load of a key of a cache.
///
/// A task-local value contains the work to which the current code belongs. So the work can record the promises that its
/// own tasks request from other work. If the recorded requests form a cycle, none of the requested promises in the
/// cycle can resolve.
final class SharedWork: Sendable {
  /// The work to which the current code belongs.
  @TaskLocal static var current: SharedWork?

  /// A promise that the work has requested from other work.
  private struct Request: Sendable {
    let work: SharedWork
    let promise: WeakPromise

    var isOpen: Bool { promise.mayBeAwaited }
  }

  private struct State {
    var requests = SweptList<Request>()
    var code: LoadHolding?
    var task: Task<Void, Never>?
    /// The highest priority of the callers that have joined the work.
    var joined: UInt8 = 0
  }

  private let state: Guarded<State>

  /// - Parameter outer: The holding around the work.
  init(within outer: TaskHolding?) { state = Guarded(State(code: LoadHolding(within: outer))) }

  /// The code of the work; `nil` if the work has ended.
  var code: LoadHolding? { state.withLock { $0.code } }

  /// Records that the current code requests a promise of this work.
  ///
  /// - Returns: `false` if the promise would wait for itself, because this work waits, directly or through other work,
  ///   for the work to which the current code belongs.
  func admits<Value, Failure>(_ promise: Promise<Value, Failure>) -> Bool {
    guard let current = Self.current else { return true }
    let request = Request(work: self, promise: WeakPromise(promise))
    // The request is recorded before the search for a cycle. So if two tasks request promises of each other's work, at
    // least one task finds the request of the other task.
    let swept = current.state.withLock { $0.requests.append(request) { !$0.isOpen } }
    return withExtendedLifetime(swept) { !waits(for: current) }
  }

  private func waits(for other: SharedWork) -> Bool {
    var (open, seen) = ([self], Set([ObjectIdentifier(self)]))
    while let work = open.popLast() {
      if work === other { return true }
      for request in work.state.withLock({ $0.requests.elements }) where request.isOpen {
        if seen.insert(ObjectIdentifier(request.work)).inserted { open.append(request.work) }
      }
    }
    return false
  }

  /// Records that the work has ended and waits for no other work.
  func release() {
    let (requests, code, task) = state.withLock { ($0.requests.takeAll(), $0.code.take(), $0.task.take()) }
    withExtendedLifetime((requests, task)) {}
    code?.end()
  }

  // MARK: The priority

  /// Keeps the task of the work, and raises its priority to that of the callers that have joined meanwhile.
  func keep(_ task: Task<Void, Never>) {
    let joined = state.withLock { state in
      if state.code != nil { state.task = task }
      return state.joined
    }
    if joined > 0 { SharedWork.raise(task, to: TaskPriority(rawValue: joined)) }
  }

  /// Raises the priority of the work's task to that of the current task, which has joined the work.
  func raise() {
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
}

/// The code of shared work, as a holding. Code that waits for the work waits until this holding ends.
///
/// Only the task of the work counts, because the work may end while tasks that it has created still wait.
final class LoadHolding: TaskHolding, HoldingSource, @unchecked Sendable {
  // Sendable: the state has a lock.
  private let state = Guarded((task: Int?.none, isOver: false))

  override var isOver: Bool { state.withLock { $0.isOver } }

  override func waits(with task: Int?) -> Bool { state.withLock { $0.task != nil && $0.task == task } }

  func needs(first count: Int) -> HoldingNeeds? { isOver ? nil : ([.holding(self)], 1) }

  /// Records that the current task runs the code.
  func begin() {
    let task = CurrentTask.number
    state.withLock { $0.task = task }
  }

  fileprivate func end() {
    state.withLock { $0.isOver = true }
    releaseOuter()
  }
}
