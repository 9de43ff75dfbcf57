// Structures that hold the functions of steps, so that no thunk is needed to store them (see `Step.Callback`).

@usableFromInline
struct Reaction<Argument>: Sendable {
  @usableFromInline let call: @Sendable (Argument) -> Void

  @inlinable
  init(_ call: @escaping @Sendable (Argument) -> Void) { self.call = call }
}

@usableFromInline
struct PromiseMaker<Argument, Value: Sendable, Failure: Sendable>: Sendable {
  @usableFromInline let call: @Sendable (Argument) -> Promise<Value, Failure>

  @inlinable
  init(_ call: @escaping @Sendable (Argument) -> Promise<Value, Failure>) { self.call = call }
}

@usableFromInline
struct Throwing<Argument, Output, Failure: Error>: Sendable {
  @usableFromInline let call: @Sendable (Argument) throws(Failure) -> Output

  @inlinable
  init(_ call: @escaping @Sendable (Argument) throws(Failure) -> Output) { self.call = call }
}
