public import Dispatch
internal import Overmorrow

// Each operator has a form for a queue, whose closure may run on any thread, and one for the default queue, whose closure may
// belong to an actor.

extension Thenable {
  /// The result of what a closure makes of the value.
  public func then<U: Thenable>(_ body: @escaping @isolated(any) (T) throws -> U) -> Promise<U.T> {
    Promise(of: followed(.map(body.isolation), Isolation.plain(body)))
  }

  /// The result of what a closure makes of the value; on a queue.
  @preconcurrency public func then<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping (T) throws -> U
  ) -> Promise<U.T> { Promise(of: followed(.on(on, flags), body)) }

  /// What a closure makes of the value.
  public func map<U>(_ transform: @escaping @isolated(any) (T) throws -> U) -> Promise<U> {
    Promise(of: mapped(.map(transform.isolation), Isolation.plain(transform)))
  }

  /// What a closure makes of the value; on a queue.
  @preconcurrency public func map<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: sending @escaping (T) throws -> U
  ) -> Promise<U> { Promise(of: mapped(.on(on, flags), transform)) }

  /// What a closure makes of the value; rejected with `PMKError.compactMap` if that is `nil`.
  public func compactMap<U>(_ transform: @escaping @isolated(any) (T) throws -> U?) -> Promise<U> {
    Promise(of: unwrapped(.map(transform.isolation), Isolation.plain(transform)))
  }

  /// What a closure makes of the value; rejected with `PMKError.compactMap` if that is `nil`; on a queue.
  @preconcurrency public func compactMap<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: sending @escaping (T) throws -> U?
  ) -> Promise<U> { Promise(of: unwrapped(.on(on, flags), transform)) }

  /// Runs a closure with the value.
  public func done(_ body: @escaping @isolated(any) (T) throws -> Void) -> Promise<Void> {
    Promise(of: mapped(.end(body.isolation), Isolation.plain(body)))
  }

  /// Runs a closure with the value; on a queue.
  @preconcurrency public func done(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping (T) throws -> Void
  ) -> Promise<Void> { Promise(of: mapped(.on(on, flags), body)) }

  /// Runs a closure with the value, which is passed on.
  public func get(_ body: @escaping @isolated(any) (T) throws -> Void) -> Promise<T> {
    Promise(of: passed(.end(body.isolation), Isolation.plain(body)))
  }

  /// Runs a closure with the value, which is passed on; on a queue.
  @preconcurrency public func get(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping (T) throws -> Void
  ) -> Promise<T> { Promise(of: passed(.on(on, flags), body)) }

  /// Runs a closure with the result, which is passed on.
  public func tap(_ body: @escaping @isolated(any) (Result<T>) -> Void) -> Promise<T> {
    Promise(of: observed(.map(body.isolation), Isolation.plain(body)))
  }

  /// Runs a closure with the result, which is passed on; on a queue.
  @preconcurrency public func tap(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping (Result<T>) -> Void
  ) -> Promise<T> { Promise(of: observed(.on(on, flags), body)) }

  /// The same without the value.
  public func asVoid() -> Promise<Void> { Promise(of: mapped(.immediate) { _ in }) }

  private func unwrapped<U>(_ context: PromiseContext, _ transform: @escaping (T) throws -> U?) -> Core<U> {
    mapped(context) { value in
      guard let made = try transform(value) else { throw PMKError.compactMap(value, U.self) }
      return made
    }
  }

  func passed(_ context: PromiseContext, _ body: @escaping (T) throws -> Void) -> Core<T> {
    mapped(context) { value in
      try body(value)
      return value
    }
  }
}
