internal import Overmorrow
internal import OvermorrowEngine

/// A closure that runs in a child task, so that it can be asked to cancel while the caller's task is not cancelled.
///
/// A task cannot be cancelled in part, so such a closure needs its own task. The child is a task of a group. It
/// inherits the priority and the task-local values of the caller's task, and is cancelled and raised in priority
/// together with the caller's task.
final class ChildCall: Sendable {
  private enum State {
    case running
    /// The caller's task waits for the end of the closure or a request.
    case awaited(CheckedContinuation<Void, Never>)
    /// The closure has ended.
    case ended
    /// The closure was asked to cancel before it ended.
    case asked
  }

  private let state = Guarded(State.running)

  /// Calls a closure in a child task, and returns its result when it has ended.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller. The closure is called on this actor.
  ///   - body: The closure. The closure and its value need not be `Sendable`, because the caller's task waits while the
  ///     child runs.
  func run<Value>(
    isolation: isolated (any Actor)?, _ body: nonisolated(nonsending) () async throws -> Value
  ) async -> Result<Value, any Error> {
    await withoutActuallyEscaping(body) { body in
      let turn = Turn(body)
      await withTaskGroup(of: Void.self, isolation: isolation) { group in
        // The capture of `isolation` isolates the child to the caller's actor.
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
          // The closure starts inside this call, and needs no other thread if it does not suspend.
          group.addImmediateTask {
            _ = isolation
            await turn.run(isolation: isolation)
            self.end()
          }
        } else {
          group.addTask {
            _ = isolation
            await turn.run(isolation: isolation)
            self.end()
          }
        }
        if isRunning { await withCheckedContinuation(isolation: isolation) { self.wait($0) } }
        if wasAsked { group.cancelAll() }
        await group.next()
      }
      return turn.takeResult()
    }
  }

  /// Asks the closure to cancel. Does nothing if the closure has ended.
  ///
  /// - Returns: Whether this is the first request and the closure has not ended.
  @discardableResult
  func requestCancel() -> Bool { finish(with: .asked) }

  /// Whether the closure was asked to cancel before it ended.
  var wasAsked: Bool {
    state.withLock { state in
      if case .asked = state { true } else { false }
    }
  }

  private var isRunning: Bool {
    state.withLock { state in
      if case .running = state { true } else { false }
    }
  }

  private func end() { finish(with: .ended) }

  private func wait(_ continuation: CheckedContinuation<Void, Never>) {
    let isOver = state.withLock { state in
      guard case .running = state else { return true }
      state = .awaited(continuation)
      return false
    }
    if isOver { continuation.resume() }
  }

  /// Sets the final state, and resumes the caller's task if it waits. Does nothing if there is a final state.
  @discardableResult
  private func finish(with final: State) -> Bool {
    let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
      switch state {
      case .running:
        state = final
        return (true, nil)
      case .awaited(let waiter):
        state = final
        return (true, waiter)
      case .ended, .asked:
        return (false, nil)
      }
    }
    waiter?.resume()
    return isFirst
  }

  /// A closure and its result, which pass from the caller's task to the child and back.
  private final class Turn<Value>: @unchecked Sendable {
    // Sendable: the caller's task uses the fields before it creates the child and after the child has ended. Only the
    // child uses them in between.
    private var body: (nonisolated(nonsending) () async throws -> Value)?
    private var result: Result<Value, any Error>?

    init(_ body: nonisolated(nonsending) @escaping () async throws -> Value) { self.body = body }

    func run(isolation: isolated (any Actor)?) async {
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
