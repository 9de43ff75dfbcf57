internal import Overmorrow
internal import OvermorrowFlow

/// What the closure of a ``PromiseLoad`` has started.
struct StartedLoad<Value: Sendable> {
  /// The promise of the load.
  let promise: Promise<Value, any Error>
  /// An older value to show while the load is running.
  var value: Value?
  var progress: PromiseProgress?

  init(_ promise: Promise<Value, some Error>, value: Value? = nil, progress: PromiseProgress? = nil) {
    self.promise = promise.mapError(on: .immediate) { $0 }
    self.value = value
    self.progress = progress
  }
}
