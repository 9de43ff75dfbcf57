internal import Dispatch
internal import OvermorrowEngine

/// The promise to which a callback or a body belongs, for its report.
package protocol CallbackOwner: AnyObject, Sendable {
  /// The text of the origin, and the name; `nil` if neither is known.
  var namedOrigin: String? { get }
  /// The site or the address of the operator's call; `nil` if it is unknown. Finding it takes long, so no lock may be
  /// held.
  var siteOfCall: String? { get }
}

/// A callback or a body of a watched promise while it runs, or a blocking wait in such a callback.
package final class RunningCallback: @unchecked Sendable {
  // Sendable: the variables are only used under the lock of `StallWatch`, and the constants are Sendable.

  /// The promise; `nil` for a blocking wait.
  let owner: (any CallbackOwner)?
  /// Whether the callback belongs to a step with its own promise, which is the owner. Otherwise, the owner is the
  /// promise that has the body, or that was resolved when the callback was registered.
  let isStep: Bool
  /// The queue that the callback keeps; `nil` for the main queue, and for a callback that keeps no queue.
  let queue: DispatchQueue?
  /// The callback that called the code that runs this callback.
  let outer: RunningCallback?
  /// Whether the list of the watch contains the callback. It contains the callbacks of a thread if the outermost
  /// callback keeps the main queue or a dispatch queue.
  let isListed: Bool
  /// The position in the list of running callbacks. It is valid while this is the innermost callback of its thread.
  var index = 0
  /// The number of ticks that have found this callback innermost on its thread, and those of the inner callbacks that
  /// have ended without a report.
  var ticks = 0
  var isReported = false

  init(
    _ owner: (any CallbackOwner)?, isStep: Bool, _ queue: DispatchQueue? = nil, inside outer: RunningCallback?,
    isListed: Bool = true
  ) {
    self.owner = owner
    self.isStep = isStep
    self.queue = queue
    self.outer = outer
    self.isListed = isListed
  }

  /// The callback that the calling thread runs.
  static var current: RunningCallback? { ThreadLocal.current.callback as? RunningCallback }

  /// The ``CallbackOwner/siteOfCall`` of a step. No lock may be held.
  var step: String? { isStep ? owner?.siteOfCall : nil }

  /// The number of limits after which the callback is reported.
  var limits: Int { queue == nil ? 1 : StallWatch.queueLimits }

  /// Whether the callback has now kept its queue for longer than its limit, and was not reported. The first tick may
  /// come at the beginning of the callback, so only the further ticks count as time. On a queue that is not known to be
  /// serial, a callback is never due, because it does not keep the queue from other work.
  var isDue: Bool {
    owner != nil && !isReported && ticks > limits * StallWatch.ticksPerLimit && queue?.isKnownSerial != false
  }

  package func end() {
    ThreadLocal.current.callback = outer
    if isListed { StallWatch.remove(self) }
  }

  /// Records that this blocking wait was reported as a long wait. Its time then does not count for the callback around
  /// it.
  package func noteReported() { StallWatch.noteReported(self) }
}
