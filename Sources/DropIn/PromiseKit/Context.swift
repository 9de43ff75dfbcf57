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

  /// The default queue; the actor that the closure belongs to, if that is not the main actor; and for one of the main actor, if
  /// there is no default queue, right there only if that is on the main thread.
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

/// The main thread: right there on it, and from others by the main queue.
private final class MainThread: PromiseExecutor {
  static let shared = MainThread()

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    // As a step of the core's, since those nest to a certain depth only.
    if Thread.isMainThread {
      _Source(()).core.whenOver { _ in work() }
    } else {
      DispatchQueue.main.async(execute: work)
    }
  }
}
