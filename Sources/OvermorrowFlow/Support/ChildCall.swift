internal import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// A closure that runs in a child task, so that it can be asked to cancel while the caller's task is not cancelled.
///
/// A task cannot be cancelled in part, so such a closure needs its own task. The child is a task of a group. It
/// inherits the priority and the task-local values of the caller's task, and is cancelled and raised in priority
/// together with the caller's task.
final class ChildCall: Sendable {
  private let task = CancellableTask()
  /// The number of the child task while the closure runs, if the call is noted.
  private let child = Guarded<Int?>(nil)

  var number: Int? { child.withLock { $0 } }

  /// Calls a closure in a child task, and returns when the closure has ended.
  ///
  /// The closure delivers its result itself, because a closure of unknown type would need a search for the metadata of
  /// the type in each call.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller. The closure is called on this actor.
  ///   - body: The closure. The closure need not be `Sendable`, because the caller's task waits while the child runs.
  ///   - pending: The call in the list of pending promises; `nil` if promises are not watched.
  ///   - isNoted: Whether the graph of waits contains the child task. If so, only the end of the child ends the wait of
  ///     the caller's task.
  func run(
    isolation: isolated (any Actor)?, _ pending: TaskCall?, isNoted: Bool = false,
    _ body: nonisolated(nonsending) () async -> Void
  ) async {
    let parent = isNoted ? CurrentTask.number : nil
    await withoutActuallyEscaping(body) { body in
      let turn = Turn(body)
      // In both branches, the capture of `isolation` isolates the child to the caller's actor.
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        // The closure starts inside this call, and needs no other thread if it does not suspend.
        await withDiscardingTaskGroup(isolation: isolation) { group in
          group.addImmediateTask {
            _ = isolation
            let ends = self.begin(pending, childOf: parent)
            await turn.body()
            if self.end(turn, pending, ends) { await self.task.wait(isolation: isolation) }
          }
        }
      } else {
        await withTaskGroup(of: Void.self, isolation: isolation) { group in
          group.addTask {
            _ = isolation
            let ends = self.begin(pending, childOf: parent)
            await turn.body()
            if self.end(turn, pending, ends) { await self.task.wait(isolation: isolation) }
          }
          await group.next()
        }
      }
    }
  }

  private typealias Ends = (number: Int?, wait: (@Sendable () -> Void)?)

  /// Begins the call of the closure, in the child.
  private func begin(_ pending: TaskCall?, childOf parent: Int?) -> Ends {
    task.begin()
    return (pending?.beginChild(), parent.flatMap(noteChild))
  }

  /// Ends the call of the closure. Returns whether a thread is cancelling the child now.
  private func end(_ turn: Turn, _ pending: TaskCall?, _ ends: Ends) -> Bool {
    turn.body = {}
    ends.wait?()
    pending?.endChild(ends.number)
    return task.end()
  }

  /// Records the current task as the child. Returns a closure that ends the wait of the parent.
  private func noteChild(of parent: Int) -> (@Sendable () -> Void)? {
    guard let number = CurrentTask.number else { return nil }
    child.withLock { $0 = number }
    let endWait = TaskWaits.begin(forChild: number, of: parent)
    return {
      self.child.withLock { $0 = nil }
      endWait?()
    }
  }

  /// Asks the closure to cancel. Does nothing if the closure has ended.
  func requestCancel() { task.cancel() }

  /// Whether the closure was asked to cancel before it ended.
  var wasAsked: Bool { task.isCancelled }

  /// A closure that passes from the caller's task to the child.
  private final class Turn: @unchecked Sendable {
    // Sendable: only the child uses the closure, which the caller's task has set before it created the child.
    /// The closure. The child empties it after the call, because the child itself may live longer than the closure.
    var body: nonisolated(nonsending) () async -> Void

    init(_ body: nonisolated(nonsending) @escaping () async -> Void) { self.body = body }
  }
}
