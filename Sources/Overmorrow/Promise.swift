/// The result of work that may still be going on, to be observed by any number of callbacks, and cancelled by vote.
///
/// A promise resolves at most once, to a ``PromiseResult``: a value, an error or cancelled; it never changes afterwards.
/// `Failure` need not be an `Error`. All copies of a promise are the same promise, and equal.
///
/// ```swift
/// let greeting = Promise<String, any Error>(on: .utility) { resolver in
///   resolver.fulfill(with: try loadGreeting())
/// }
/// greeting.map(on: .utility) { $0.uppercased() }
///   .then { print($0) }
///   .catch { print("no greeting: \($0)") }
/// ```
///
/// **A promise may be used from any thread.** Each callback runs on the ``PromiseContext`` it was registered with.
///
/// Order: the observers of one promise run, or are handed to their contexts, in the order in which they were
/// registered. A step of a chain never starts before the one in front of it has finished.
public struct Promise<Value: Sendable, Failure: Sendable>: Sendable {
  @usableFromInline let handle: PromiseHandle

  @inlinable
  init(_ handle: PromiseHandle) { self.handle = handle }

  /// The result, or `nil` while the promise is unresolved.
  ///
  /// Reading it is wait-free, and never changes anything.
  @inlinable
  public var result: PromiseResult<Value, Failure>? {
    withExtendedLifetime(handle) {
      let result = handle.core.result(Value.self, Failure.self)
      if case .error? = result { handle.core.didReadError() }
      return result
    }
  }
}

extension Promise: Hashable {
  /// Whether both are copies of one promise.
  public static func == (left: Promise, right: Promise) -> Bool { left.handle === right.handle }

  /// Hashes the identity of the promise.
  public func hash(into hasher: inout Hasher) { hasher.combine(handle.identity) }
}

extension Promise: CustomStringConvertible {
  /// The types, and the result as far as it is known.
  public var description: String {
    let state = result.map { "\($0)" } ?? "unresolved"
    return "Promise<\(Value.self), \(Failure.self)>(\(state))"
  }
}

extension Promise {
  /// Registers a step: the one way in for every operator.
  @inlinable
  func observe<S: Step>(
    _ step: S.Type, on context: PromiseContext, gate: Gate?, _ callback: S.Callback
  ) -> Promise<S.Output, S.OutputFailure> where S.Input == Value, S.InputFailure == Failure {
    let child = PromiseHandle.makeStep(
      words: StepOperations<S>.words, traits: StepOperations<S>.traits, on: context, gate: gate,
      operations: { StepOperations<S>.perform($0, $1, $2) })
    child.core.write(callback)
    withExtendedLifetime(handle) { child.register(on: handle.core) }
    return Promise<S.Output, S.OutputFailure>(child)
  }
}
