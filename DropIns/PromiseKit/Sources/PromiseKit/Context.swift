public import Dispatch
internal import Foundation
public import Overmorrow

extension PromiseContext {
  /// Returns the context of a queue. Each closure is submitted to the queue with its own call of `async`. If there is
  /// no queue, returns `.immediate`.
  @usableFromInline static func on(_ queue: DispatchQueue?, _ flags: DispatchWorkItemFlags? = nil) -> PromiseContext {
    guard let queue else { return .immediate }
    guard let flags else { return .queue(queue) }
    return .executor(FlaggedQueue(queue, flags))
  }

  /// Returns the context of a closure for which a queue was given. If the closure is isolated to an actor, the closure
  /// runs on that actor instead of the queue. For example, a method of a class of the main actor is isolated to the
  /// main actor.
  @usableFromInline static func on(
    _ queue: DispatchQueue?, _ flags: DispatchWorkItemFlags? = nil, _ isolation: (any Actor)?
  ) -> PromiseContext {
    guard let isolation else { return on(queue, flags) }
    if isolation !== MainActor.shared { return .actor(isolation) }
    return queue == nil ? .executor(MainThread.shared) : on(.main, flags)
  }

  /// Returns the context of a closure that was given without a queue to an operator other than `done`, `get`, `catch`,
  /// `finally`, `ensure` and `ensureThen`.
  @usableFromInline static func map(_ isolation: (any Actor)?) -> PromiseContext { forClosure(isolation, conf.Q.map) }

  /// Returns the context of a closure that was given without a queue to `done`, `get`, `catch`, `finally`, `ensure` or
  /// `ensureThen`.
  @usableFromInline static func end(_ isolation: (any Actor)?) -> PromiseContext {
    forClosure(isolation, conf.Q.return)
  }

  /// Returns the context of a closure for which no queue was given.
  ///
  /// - If the closure is isolated to an actor other than the main actor, the closure runs on that actor.
  /// - Otherwise the closure runs on the default queue, if there is a default queue.
  /// - If there is no default queue, the closure runs without a hop. But if the closure is isolated to the main actor
  ///   and would run on another thread, the closure runs on the main queue.
  private static func forClosure(_ isolation: (any Actor)?, _ queue: DispatchQueue?) -> PromiseContext {
    guard let isolation else { return on(queue) }
    if isolation !== MainActor.shared { return .actor(isolation) }
    return queue.map { .queue($0) } ?? .executor(MainThread.shared)
  }
}

/// An executor that submits work to a queue with the given flags.
private final class FlaggedQueue: PromiseExecutor, @unchecked Sendable {
  // Sendable because its properties are constants.
  private let queue: DispatchQueue
  private let flags: DispatchWorkItemFlags

  init(_ queue: DispatchQueue, _ flags: DispatchWorkItemFlags) {
    self.queue = queue
    self.flags = flags
  }

  func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(flags: flags, execute: work) }
}

/// An executor for the main thread. A call of `enqueue` on the main thread runs the work inside the call. A call on
/// another thread submits the work to the main queue. Calls on the main thread nest up to 32 deep. If a call would nest
/// deeper, its work waits, so that a long chain does not overflow the stack. The outermost call runs the waiting work
/// before it returns.
private final class MainThread: PromiseExecutor {
  static let shared = MainThread()
  private static let maxDepth = 32
  private let calls = Locked<(depth: Int, waiting: [@Sendable () -> Void])>((0, []))

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    if !Thread.isMainThread { return DispatchQueue.main.async(execute: work) }
    let isWaiting = calls.withLock { calls in
      let isTooDeep = calls.depth == Self.maxDepth
      if isTooDeep { calls.waiting.append(work) } else { calls.depth += 1 }
      return isTooDeep
    }
    if isWaiting { return }
    work()
    while let waiting = takeWaiting() { for work in waiting { work() } }
  }

  /// Returns the waiting work if the calling `enqueue` is the outermost call and work is waiting. In any other case,
  /// returns `nil`, and no longer counts that call of `enqueue`.
  private func takeWaiting() -> [@Sendable () -> Void]? {
    calls.withLock { calls in
      if calls.depth == 1, !calls.waiting.isEmpty {
        defer { calls.waiting = [] }
        return calls.waiting
      }
      calls.depth -= 1
      return nil
    }
  }
}
