internal import OvermorrowEngine

extension PromiseContext {
  /// Returns a context that runs callbacks on this context, with the value that a task-local has at the time of this
  /// call.
  ///
  /// A callback is not part of the task that registers the callback. Without this method, a callback reads the default
  /// value of the task-local, or the value in the code that resolves the promise.
  ///
  /// ```swift
  /// let page = load(url)
  ///   .map(on: .utility.carrying(ServiceContext.$current)) { try parse($0) }
  /// ```
  ///
  /// This call reads the value, and all code that runs on the returned context reads the same value. An `.immediate`
  /// callback that runs inside a callback of the returned context also reads this value. The returned context can be
  /// passed to each operator, body and job that takes a context. If this context is `.nowOr(other)`, callbacks run on
  /// `other`.
  ///
  /// The returned context is an executor in front of this context. Each callback is submitted separately, even if the
  /// callback directly follows another callback.
  ///
  /// - Parameter local: The task-local, such as `ServiceContext.$current`. For several task-locals, call this method
  ///   several times.
  public func carrying<Value: Sendable>(_ local: TaskLocal<Value>) -> PromiseContext {
    .executor(CarryingExecutor(local, local.get(), later))
  }
}

/// An executor that submits callbacks to a context and binds a task-local value for them.
private final class CarryingExecutor<Value: Sendable>: FrontExecutor {
  private let local: TaskLocal<Value>
  private let value: Value
  let context: PromiseContext

  init(_ local: TaskLocal<Value>, _ value: Value, _ context: PromiseContext) {
    self.local = local
    self.value = value
    self.context = context
  }

  func moved(inFrontOf context: PromiseContext) -> PromiseContext { .executor(CarryingExecutor(local, value, context)) }

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    Pass.perform(on: context) { [local, value] in local.withValue(value) { work() } }
  }
}
