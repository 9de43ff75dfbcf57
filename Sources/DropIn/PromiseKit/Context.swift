public import Dispatch
internal import Foundation
public import Overmorrow

extension PromiseContext {
  /// A queue, with one `async` for each closure; without one, right there.
  @usableFromInline static func on(_ queue: DispatchQueue?, _ flags: DispatchWorkItemFlags? = nil) -> PromiseContext {
    guard let queue else { return .immediate }
    guard let flags else { return .queue(queue) }
    return .executor(FlaggedQueue(queue, flags))
  }

  /// Where a closure runs that transforms, and was given no queue.
  @usableFromInline static func map(_ isolation: (any Actor)?) -> PromiseContext { here(isolation, conf.Q.map) }

  /// Where a closure runs that ends a chain, and was given no queue.
  @usableFromInline static func end(_ isolation: (any Actor)?) -> PromiseContext { here(isolation, conf.Q.return) }

  /// The default queue; the actor that the closure belongs to, if that is not the main actor; and for one of the main
  /// actor, if there is no default queue, right there only if that is on the main thread.
  private static func here(_ isolation: (any Actor)?, _ queue: DispatchQueue?) -> PromiseContext {
    guard let isolation else { return on(queue) }
    if isolation !== MainActor.shared { return .actor(isolation) }
    return queue.map { .queue($0) } ?? .executor(MainThread.shared)
  }
}

/// A queue, and how it takes its blocks.
private final class FlaggedQueue: PromiseExecutor, @unchecked Sendable {
  // Sendable: constants.
  private let queue: DispatchQueue
  private let flags: DispatchWorkItemFlags

  init(_ queue: DispatchQueue, _ flags: DispatchWorkItemFlags) {
    self.queue = queue
    self.flags = flags
  }

  func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(flags: flags, execute: work) }
}

/// The main thread: right there on it, and from others by the main queue. Calls nest to a certain depth; deeper ones
/// wait for the outermost to return, so that a long chain fits on the stack.
private final class MainThread: PromiseExecutor {
  static let shared = MainThread()
  private static let deepest = 32
  private let calls = Guarded<(depth: Int, waiting: [@Sendable () -> Void])>((0, []))

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    if !Thread.isMainThread { return DispatchQueue.main.async(execute: work) }
    let isWaiting = calls.withLock { calls in
      let isTooDeep = calls.depth == Self.deepest
      if isTooDeep { calls.waiting.append(work) } else { calls.depth += 1 }
      return isTooDeep
    }
    if isWaiting { return }
    work()
    while let waiting = takeWaiting() { for work in waiting { work() } }
  }

  /// What the outermost call has to run before it returns; `nil` ends a call.
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
