public import Dispatch
internal import Foundation
internal import Overmorrow

/// The result of work that may still be going on, and that cannot fail.
public final class Guarantee<T>: Thenable, Sendable {
  let inner: Core<T>

  init(_ inner: Core<T>) { self.inner = inner }

  /// A fulfilled guarantee.
  public static func value(_ value: T) -> Guarantee<T> { Guarantee(Core<T>(fulfilled: Kept(value))) }

  /// A guarantee that a closure fulfils. The closure runs before this initialiser returns.
  @preconcurrency
  public convenience init(
    fileID: StaticString = #fileID, line: UInt = #line, resolver body: (@escaping @Sendable (T) -> Void) -> Void
  ) {
    let (guarantee, resolve) = Guarantee.make(fileID, line)
    self.init(guarantee)
    body(resolve)
  }

  /// A pending guarantee, and what fulfils it.
  @preconcurrency
  public class func pending(
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> (guarantee: Guarantee<T>, resolve: @Sendable (T) -> Void) {
    let (guarantee, resolve) = make(fileID, line)
    return (Guarantee(guarantee), resolve)
  }

  /// The same as a function without parameters.
  @_disfavoredOverload
  @preconcurrency
  public class func pending() -> (guarantee: Guarantee<T>, resolve: @Sendable (T) -> Void) {
    pending(fileID: "PromiseKit/", line: 0)
  }

  private static func make(_ file: StaticString, _ line: UInt) -> (Core<T>, @Sendable (T) -> Void) {
    let (guarantee, resolver) = Core<T>.makeForLibrary()
    let seal = Resolver(resolver, .pendingGuaranteeDeallocated, file, line)
    return (guarantee, { seal.fulfill($0) })
  }

  /// Calls a closure with the result: at once if there is one, otherwise when it comes.
  public func pipe(to: @escaping (Result<T>) -> Void) { inner.pipe(to) }

  /// The result, or `nil` while the guarantee is pending.
  public var result: Result<T>? { inner.result.flatMap { Result($0) } }

  /// The promise behind it.
  public var _source: _Source<T> { _Source(core: inner) }

  /// The value, for which the calling thread is blocked.
  ///
  /// The program stops where the wait would never end, as for a closure on the very queue that is blocked.
  public func wait() -> T {
    if Thread.isMainThread { log(.waitOnMainThread) }
    do {
      if case .value(let value) = try inner.waitForResult() { return value.value }
    } catch {
      fatalError("\(error)")
    }
    fatalError("the wait for a guarantee that is fulfilled no more")
  }
}

extension Guarantee {
  /// Runs a closure with the value.
  @discardableResult public func done(_ body: @escaping @isolated(any) (T) -> Void) -> Guarantee<Void> {
    Guarantee<Void>(mapped(.end(body.isolation), Isolation.plain(body)))
  }

  /// Runs a closure with the value; on a queue.
  @preconcurrency @discardableResult public func done(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping (T) -> Void
  ) -> Guarantee<Void> { Guarantee<Void>(mapped(.on(on, flags), body)) }

  /// Runs a closure with the value, which is passed on.
  public func get(_ body: @escaping @isolated(any) (T) -> Void) -> Guarantee<T> {
    Guarantee(passed(.end(body.isolation), Isolation.plain(body)))
  }

  /// Runs a closure with the value, which is passed on; on a queue.
  @preconcurrency public func get(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping (T) -> Void
  ) -> Guarantee<T> { Guarantee(passed(.on(on, flags), body)) }

  /// What a closure makes of the value.
  public func map<U>(_ body: @escaping @isolated(any) (T) -> U) -> Guarantee<U> {
    Guarantee<U>(mapped(.map(body.isolation), Isolation.plain(body)))
  }

  /// What a closure makes of the value; on a queue.
  @preconcurrency public func map<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping (T) -> U
  ) -> Guarantee<U> { Guarantee<U>(mapped(.on(on, flags), body)) }

  /// The value of what a closure makes of this one.
  @discardableResult public func then<U>(_ body: @escaping @isolated(any) (T) -> Guarantee<U>) -> Guarantee<U> {
    continued(.map(body.isolation), Isolation.plain(body))
  }

  /// The value of what a closure makes of this one; on a queue.
  @preconcurrency @discardableResult public func then<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping (T) -> Guarantee<U>
  ) -> Guarantee<U> { continued(.on(on, flags), body) }

  /// The same without the value.
  public func asVoid() -> Guarantee<Void> { Guarantee<Void>(mapped(.immediate) { _ in }) }

  private func continued<U>(_ context: PromiseContext, _ body: @escaping (T) -> Guarantee<U>) -> Guarantee<U> {
    Guarantee<U>(step(context) { .promise(body($0).inner) })
  }
}

extension Guarantee where T == Void {
  /// A fulfilled guarantee.
  public convenience init() { self.init(Core<Void>(fulfilled: Kept(()))) }

  /// A fulfilled guarantee.
  public static var value: Guarantee<Void> { Guarantee() }
}
