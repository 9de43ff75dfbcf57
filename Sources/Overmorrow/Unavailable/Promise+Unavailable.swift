// Names in other libraries. The compiler's message says what to write instead.

extension Promise {
  /// Other libraries' name for ``then(on:token:_:)``.
  @available(*, unavailable, renamed: "then")
  @discardableResult
  public func done(on context: PromiseContext = .auto, _ body: (Value) throws -> Void) -> Promise { self }

  /// Other libraries' name for ``always(on:token:_:)``.
  @available(*, unavailable, message: "use 'always', whose closure gets the result: 'always { _ in … }'")
  @discardableResult
  public func finally(on context: PromiseContext = .auto, _ body: () -> Void) -> Promise { self }

  /// Other libraries' name for ``always(on:token:_:)``.
  @available(*, unavailable, message: "use 'always', whose closure gets the result: 'always { _ in … }'")
  @discardableResult
  public func ensure(on context: PromiseContext = .auto, _ body: () -> Void) -> Promise { self }

  /// Other libraries' name for a function that observes the value.
  @available(*, unavailable, message: "use 'then', which passes the value on; or 'await promise.value' to wait for it")
  @discardableResult
  public func get(on context: PromiseContext = .auto, _ body: (Value) throws -> Void) -> Promise { self }

  /// Other libraries' name for a function that waits for the value.
  @available(*, unavailable, message: "use 'try await promise.value', or 'wait()' to block the thread")
  public func get() throws -> Value { throw CancellationError() }

  /// Other libraries' name for ``requestCancel()``.
  @available(*, unavailable, renamed: "requestCancel()")
  public func cancel() {}

  /// Other libraries' way to suspend a chain.
  @available(
    *, unavailable,
    message: "suspend a 'PromisePause' of OvermorrowFlow, and pass contexts under it: 'on: .main.paused(by: pause)'"
  )
  public func suspend() {}

  /// Other libraries' way to resume a chain.
  @available(*, unavailable, message: "resume the 'PromisePause' of the contexts: 'on: .main.paused(by: pause)'")
  public func resume() {}

  /// Other libraries' name for a promise without a value.
  @available(*, unavailable, message: "use 'map(on: .immediate) { _ in }'")
  public func asVoid() -> Promise<Void, Failure> { Promise<Void, Failure>(with: .cancelled) }
}

/// Other libraries' name for ``when(first:cancelRemaining:joining:fileID:line:)``.
@available(*, unavailable, message: "use 'when(first:)', or 'when(firstFulfilled:)' for the first success")
public func race<Value, Failure>(_ promises: Promise<Value, Failure>...) -> Promise<Value, Failure> {
  when(first: promises)
}

/// A form of `when(first:)` without brackets. Because all inputs have the same type,
/// ``when(first:cancelRemaining:joining:fileID:line:)`` takes an array instead.
@available(*, unavailable, message: "write the promises in brackets: 'when(first: [a, b])'")
public func when<Value, Failure>(
  first promises: Promise<Value, Failure>..., cancelRemaining: Bool = false, joining: Bool = false
) -> Promise<Value, Failure> {
  when(first: promises)
}

/// Other libraries' name for a function that starts a chain with a closure.
@available(*, unavailable, message: "begin the chain with the promise itself")
public func firstly<Value, Failure>(_ body: () throws -> Promise<Value, Failure>) -> Promise<Value, Failure> {
  Promise(with: .cancelled)
}
