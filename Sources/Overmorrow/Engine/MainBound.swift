internal import Dispatch

/// Something that must be released on the main queue: a callback of that queue that will not run.
@usableFromInline
final class MainBound<Value>: @unchecked Sendable {
  // Sendable: the thread that makes it hands it over at once, and does not look at it again.
  private var value: Value?

  @usableFromInline
  init(_ value: consuming Value) { self.value = value }

  /// Releases the value: at once on the main queue, otherwise there and soon.
  ///
  /// The queue's work empties this object, so that it does not matter which thread releases that work last.
  @usableFromInline
  func release() {
    if MainQueue.isCurrent { value = nil } else { DispatchQueue.main.async { self.value = nil } }
  }
}

extension CoreRef {
  /// Lets go of the callback of a step, or of what it is a part of, that will not run.
  @inlinable
  @inline(__always)
  func letGo<Callback>(of callback: consuming Callback) {
    if isOnMain { MainBound(callback).release() }
  }

  /// Whether this is a step of the main queue.
  @usableFromInline
  var isOnMain: Bool { traits.has(.onMain) }
}
