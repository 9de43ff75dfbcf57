public import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// The part of a batcher that does not depend on its types: its settings, and its latest batch.
@usableFromInline
final class BatcherCore: Sendable {
  let maxSize: Int
  let window: Duration
  let clock: any Clock<Duration>
  let context: PromiseContext
  /// The latest batch. Calls join it if it is open.
  private let latest = Guarded<KeyBatch?>(nil)

  @usableFromInline
  init(_ maxSize: Int?, _ window: Duration, _ clock: any Clock<Duration>, on context: PromiseContext) {
    self.maxSize = maxSize.map { Diagnostics.replace($0, by: max($0, 1), "PromiseBatcher.maxSize") } ?? .max
    self.window = window
    self.clock = clock
    self.context = window > .zero && context.later.isNow ? .default : context.later
  }

  /// Adds a call to the latest batch, or to a new one if the latest batch is not open.
  ///
  /// - Returns: The batch, and whether it is new. The caller opens a new batch.
  @usableFromInline
  func join(_ call: BatchCall, _ promise: UntypedPromise) -> (batch: KeyBatch, isNew: Bool) {
    // Each further round means that another thread has closed or opened a batch meanwhile.
    while true {
      let seen = latest.withLock { $0 }
      if let seen {
        note(promise, in: seen)
        if seen.add(call, upTo: maxSize) { return (seen, false) }
      }
      let new = KeyBatch(first: call)
      note(promise, in: new)
      let isLatest = latest.withLock { latest in
        guard latest === seen else { return false }
        latest = new
        return true
      }
      // The replaced batch is released here, and not under the lock.
      if withExtendedLifetime(seen, { isLatest }) { return (new, true) }
    }
  }

  /// The state of the latest batch, and the number of the calls that wait for this batch.
  var content: (state: String, calls: Int) { latest.withLock { $0 }?.content ?? ("none", 0) }

  /// Records the batch in the note of a promise.
  private func note(_ promise: UntypedPromise, in batch: KeyBatch) {
    if UntypedPromise.isWatching { promise.isResolved(by: batch) }
  }
}
