package import OvermorrowEngine

/// A call of an async function of the library, such as `withTimeout`, from its begin to its end. The list of pending
/// promises contains these calls, and reports of deadlocks name their places.
package final class TaskCall: Sendable {
  private struct State {
    var cause: String
    /// The child tasks that run closures of the call.
    var children: [Int] = []
  }

  package let number = Int(CoreNote.nextNumber())
  /// The name of the function, such as "withTimeout".
  package let function: String
  package let site: CallSite
  /// The number of the task that has made the call.
  package let task: Int
  package let began = ContinuousClock.now
  private let state: Guarded<State>

  /// The calls of each task, the outermost call first.
  private static let calls = Guarded<[Int: [TaskCall]]>([:])

  /// Begins a call of the current task. ``end()`` must follow in the same task.
  ///
  /// - Parameters:
  ///   - function: The name of the function.
  ///   - site: The place of the call. `.library` means that the place is unknown.
  ///   - cause: What the call waits for, such as "its closure".
  package init?(_ function: String, at site: CallSite, waitingFor cause: String) {
    guard let task = CurrentTask.number else { return nil }
    self.function = function
    self.site = site
    self.task = task
    state = Guarded(State(cause: cause))
    TaskCall.calls.withLock { $0[task, default: []].append(self) }
  }

  /// Ends the call. A second call does nothing.
  package func end() {
    TaskCall.calls.withLock { calls in
      calls[task]?.removeAll { $0 === self }
      if calls[task]?.isEmpty == true { calls[task] = nil }
    }
  }

  /// What the call waits for.
  package var cause: String {
    get { state.withLock { $0.cause } }
    set { state.withLock { $0.cause = newValue } }
  }

  /// Records that the current task is a child task that runs a closure of the call.
  ///
  /// - Returns: The number for ``endChild(_:)``.
  package func beginChild() -> Int? {
    guard let child = CurrentTask.number else { return nil }
    state.withLock { $0.children.append(child) }
    return child
  }

  /// Records that a child task has ended.
  package func endChild(_ child: Int?) { state.withLock { $0.children.removeAll { $0 == child } } }

  /// All calls, by their tasks.
  package static var all: [Int: [TaskCall]] { calls.withLock { $0 } }

  /// The calls of a task, or the call for which a child task runs a closure, in words, such as
  /// "withTimeout at Loader.swift:31", and the place of the innermost call whose place is known.
  /// `nil` if no place is known.
  static func naming(_ task: Int) -> (text: String, place: String)? {
    let all = all
    let parent = all.values.joined().first { $0.state.withLock { $0.children.contains(task) } }
    let places = (all[task] ?? parent.map { [$0] } ?? []).compactMap { call in
      call.site.text.map { (text: "\(call.function) at \($0)", place: $0) }
    }
    guard let place = places.last?.place else { return nil }
    return (places.suffix(3).map(\.text).joined(separator: " and "), place)
  }

  /// Returns the numbers of the pending entries for which the call waits: a call inside it, or a step through which its
  /// task or one of its children waits for a promise.
  package func upstream(among calls: [Int: [TaskCall]]) -> [Int] {
    let mine = calls[task] ?? []
    if let index = mine.firstIndex(where: { $0 === self }), index + 1 < mine.count { return [mine[index + 1].number] }
    let children = state.withLock { $0.children }
    return (children.isEmpty ? [task] : children).compactMap { waiting in
      (waiting == task ? nil : calls[waiting]?.first?.number) ?? TaskWaits.step(of: waiting)
    }
  }
}
