public import Dispatch
internal import Foundation
public import Overmorrow

extension PromiseContext {
  /// Returns the context of a queue, which receives each closure by its own call of `async`. Without a queue, returns
  /// `.immediate`.
  @usableFromInline static func on(_ queue: DispatchQueue?, _ flags: DispatchWorkItemFlags? = nil) -> PromiseContext {
    guard let queue else { return .immediate }
    guard let flags else { return .queue(queue) }
    return .executor(FlaggedQueue(queue, flags))
  }

  /// Returns the context of a closure that was given with a queue. A closure that is isolated to an actor, such as a
  /// method of a class of the main actor, runs on that actor instead.
  @usableFromInline static func on(
    _ queue: DispatchQueue?, _ flags: DispatchWorkItemFlags? = nil, _ isolation: (any Actor)?
  ) -> PromiseContext {
    guard let isolation else { return on(queue, flags) }
    if isolation !== MainActor.shared { return .actor(isolation) }
    return queue == nil ? .executor(MainThread.shared) : on(.main, flags)
  }

  /// Returns the context of a transforming closure for which no queue was given.
  @usableFromInline static func map(_ isolation: (any Actor)?) -> PromiseContext { forClosure(isolation, conf.Q.map) }

  /// Returns the context of a closure that ends a chain and for which no queue was given.
  @usableFromInline static func end(_ isolation: (any Actor)?) -> PromiseContext {
    forClosure(isolation, conf.Q.return)
  }

  /// Returns the context of a closure for which no queue was given.
  ///
  /// - If the closure is isolated to an actor other than the main actor, it runs on that actor.
  /// - Otherwise it runs on the default queue, if there is one.
  /// - Without a default queue, it runs inside the call that resolves the promise. If the closure is isolated to the
  ///   main actor, and that call is made on another thread, it runs on the main queue.
  private static func forClosure(_ isolation: (any Actor)?, _ queue: DispatchQueue?) -> PromiseContext {
    guard let isolation else { return on(queue) }
    if isolation !== MainActor.shared { return .actor(isolation) }
    return queue.map { .queue($0) } ?? .executor(MainThread.shared)
  }
}

/// A queue with the flags for its work items.
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

/// Runs work inside the call if the call is made on the main thread, and otherwise on the main queue. Such calls nest
/// up to 32 deep. Deeper work is run by the outermost call before it returns, so that a long chain does not overflow
/// the stack.
private final class MainThread: PromiseExecutor {
  static let shared = MainThread()
  private static let maxDepth = 32
  private let calls = Guarded<(depth: Int, waiting: [@Sendable () -> Void])>((0, []))

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

  /// Returns the work that the outermost call still has to run, or `nil` if this call may return.
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
