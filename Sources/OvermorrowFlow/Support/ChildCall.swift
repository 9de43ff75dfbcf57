internal import Overmorrow
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

  /// Calls a closure in a child task, and returns its result when it has ended.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller. The closure is called on this actor.
  ///   - body: The closure. The closure and its value need not be `Sendable`, because the caller's task waits while the
  ///     child runs.
  ///   - pending: The call in the list of pending promises; `nil` if promises are not watched.
  ///   - isNoted: Whether the graph of waits contains the child task. If so, only the end of the child ends the wait of
  ///     the caller's task.
  func run<Value>(
    isolation: isolated (any Actor)?, _ pending: TaskCall?, isNoted: Bool = false,
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async -> Result<Value, any Error> {
    let parent = isNoted ? CurrentTask.number : nil
    return await withoutActuallyEscaping(body) { body in
      let turn = Turn(body)
      await withTaskGroup(of: Void.self, isolation: isolation) { group in
        // The capture of `isolation` isolates the child to the caller's actor.
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
          // The closure starts inside this call, and needs no other thread if it does not suspend.
          group.addImmediateTask {
            _ = isolation
            await self.task.run(isolation: isolation) {
              let (number, endWait) = (pending?.beginChild(), parent.flatMap { self.noteChild(of: $0) })
              await turn.run()
              endWait?()
              pending?.endChild(number)
            }
          }
        } else {
          group.addTask {
            _ = isolation
            await self.task.run(isolation: isolation) {
              let (number, endWait) = (pending?.beginChild(), parent.flatMap { self.noteChild(of: $0) })
              await turn.run()
              endWait?()
              pending?.endChild(number)
            }
          }
        }
        await group.next()
      }
      return turn.takeResult()
    }
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

  /// A closure and its result, which pass from the caller's task to the child and back.
  private final class Turn<Value>: @unchecked Sendable {
    // Sendable: the caller's task uses the fields before it creates the child and after the child has ended. Only the
    // child uses them in between.
    private var body: (nonisolated(nonsending) () async throws -> Value)?
    private var result: Result<Value, any Error>?

    init(_ body: nonisolated(nonsending) @escaping () async throws -> Value) { self.body = body }

    nonisolated(nonsending) func run() async {
      guard let body = body.take() else { return }
      do {
        result = .success(try await body())
      } catch {
        result = .failure(error)
      }
    }

    /// Takes the result out. The closure has ended, so there is a result.
    func takeResult() -> Result<Value, any Error> { result.take() ?? .failure(CancellationError()) }
  }
}
