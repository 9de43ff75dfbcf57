extension PromiseContext {
  /// This context, where a task-local value is what it is now.
  ///
  /// A callback is no part of the task that registers it: without this, it reads a task-local's default value, or what
  /// the code has that resolves the promise.
  ///
  /// ```swift
  /// let page = load(url)
  ///   .map(on: .utility.carrying(ServiceContext.$current)) { try parse($0) }
  /// ```
  ///
  /// The value is read by this call, and bound each time that something runs on the context. An `.immediate` callback
  /// of the promise that this resolves runs inside it, and finds the value as well. Works for each operator, body and
  /// job that takes a context. `nowOr` counts as the context inside it. A pause comes last:
  /// `.utility.carrying(local).paused(by: pause)`.
  ///
  /// It is an executor in front of the context: each callback is submitted by itself, also one that follows another.
  ///
  /// - Parameter local: The task-local, such as `ServiceContext.$current`. Several are carried one after the other.
  public func carrying<Value: Sendable>(_ local: TaskLocal<Value>) -> PromiseContext {
    .executor(CarryingExecutor(local, later))
  }
}

/// Hands callbacks to a context, where they find a task-local value.
private final class CarryingExecutor<Value: Sendable>: PromiseExecutor {
  private let local: TaskLocal<Value>
  private let value: Value
  private let context: PromiseContext

  init(_ local: TaskLocal<Value>, _ context: PromiseContext) {
    self.local = local
    self.context = context
    value = local.get()
  }

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    Pass.perform(on: context) { [local, value] in local.withValue(value) { work() } }
  }
}
