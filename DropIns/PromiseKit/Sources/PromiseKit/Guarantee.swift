public import Dispatch
internal import Foundation
public import Overmorrow

/// The future value of work that cannot fail.
public final class Guarantee<T>: Thenable, Sendable {
  /// The promise of Overmorrow behind this guarantee.
  public let _source: _Source<T>

  @inlinable init(_ source: _Source<T>) { _source = source }

  /// Returns a fulfilled guarantee.
  @inlinable public static func value(_ value: T) -> Guarantee<T> { Guarantee(_Source(value)) }

  /// Creates a guarantee that a closure fulfils. The closure runs before this initialiser returns.
  @preconcurrency public convenience init(
    fileID: StaticString = #fileID, line: UInt = #line, resolver body: (@escaping @Sendable (T) -> Void) -> Void
  ) {
    let (source, seal) = Resolver<T>.ofGuarantee(fileID, line)
    self.init(source)
    body { seal.fulfill($0) }
  }

  /// Returns a pending guarantee and the function that fulfils it.
  @preconcurrency public class func pending(
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> (guarantee: Guarantee<T>, resolve: @Sendable (T) -> Void) {
    let (source, seal) = Resolver<T>.ofGuarantee(fileID, line)
    return (Guarantee(source), { seal.fulfill($0) })
  }
  /// Does the same as ``pending(fileID:line:)``, but can be used as a function without parameters.
  @_disfavoredOverload
  @preconcurrency public class func pending() -> (guarantee: Guarantee<T>, resolve: @Sendable (T) -> Void) {
    pending(fileID: "PromiseKit/", line: 0)
  }

  /// Calls a closure with the result. If the guarantee is pending, the call is made when the result arrives.
  @inlinable public func pipe(to: @escaping (Result<T>) -> Void) { _source.pipe(to) }
  /// The result, or `nil` while the guarantee is pending.
  public var result: Result<T>? { _source.result }

  /// Blocks the calling thread until there is a value, and returns the value.
  ///
  /// If the wait would never end, for example because the value is computed on the queue that is blocked, the program
  /// stops.
  public func wait() -> T {
    if Thread.isMainThread { log(.waitOnMainThread) }
    do { return try _source.wait() } catch { fatalError("waiting for a guarantee failed: \(error)") }
  }
}

extension Guarantee {
  /// Runs a closure with the value, and drops the value.
  @inlinable @discardableResult public func done(_ body: @escaping @isolated(any) (T) -> Void) -> Guarantee<Void> {
    .init(_source.map(.end(body.isolation), PromiseAdapter.plain(body)))
  }
  /// Runs a closure with the value, and drops the value. The closure runs on the queue `on`, or without a hop if `on`
  /// is `nil`.
  @available(swift, obsoleted: 6)
  @inlinable @discardableResult public func done(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: @escaping (T) -> Void
  ) -> Guarantee<Void> { .init(_source.map(.on(on, flags), body)) }
  /// Runs a closure with the value, and drops the value. A closure that is isolated to an actor runs on that actor. Any
  /// other closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency @discardableResult public func done(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ body: __owned @escaping @Sendable @isolated(any) (T) -> Void
  ) -> Guarantee<Void> { .init(_source.map(.on(on, flags, body.isolation), PromiseAdapter.plain(body))) }

  /// Runs a closure with the value, and passes the value on.
  @inlinable public func get(_ body: @escaping @isolated(any) (T) -> Void) -> Guarantee<T> {
    .init(_source.get(.end(body.isolation), PromiseAdapter.plain(body)))
  }
  /// Runs a closure with the value, and passes the value on. The closure runs on the queue `on`, or without a hop if
  /// `on` is `nil`.
  @available(swift, obsoleted: 6)
  @inlinable public func get(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: @escaping (T) -> Void
  ) -> Guarantee<T> { .init(_source.get(.on(on, flags), body)) }
  /// Runs a closure with the value, and passes the value on. A closure that is isolated to an actor runs on that actor.
  /// Any other closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency public func get(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ body: __owned @escaping @Sendable @isolated(any) (T) -> Void
  ) -> Guarantee<T> { .init(_source.get(.on(on, flags, body.isolation), PromiseAdapter.plain(body))) }

  /// Transforms the value with a closure.
  @inlinable public func map<U>(_ body: @escaping @isolated(any) (T) -> U) -> Guarantee<U> {
    .init(_source.map(.map(body.isolation), PromiseAdapter.plain(body)))
  }
  /// Transforms the value with a closure. The closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  @inlinable public func map<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: @escaping (T) -> U
  ) -> Guarantee<U> { .init(_source.map(.on(on, flags), body)) }
  /// Transforms the value with a closure. A closure that is isolated to an actor runs on that actor. Any other closure
  /// runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency public func map<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: __owned @escaping @Sendable @isolated(any) (T) -> U
  ) -> Guarantee<U> { .init(_source.map(.on(on, flags, body.isolation), PromiseAdapter.plain(body))) }

  /// Continues with the guarantee that a closure returns for the value.
  @inlinable @discardableResult public func then<U>(
    _ body: @escaping @isolated(any) (T) -> Guarantee<U>
  ) -> Guarantee<U> {
    .init(_source.then(.map(body.isolation), PromiseAdapter.plain(body)))
  }
  /// Continues with the guarantee that a closure returns for the value. The closure runs on the queue `on`, or without
  /// a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  @inlinable @discardableResult public func then<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: @escaping (T) -> Guarantee<U>
  ) -> Guarantee<U> { .init(_source.then(.on(on, flags), body)) }
  /// Continues with the guarantee that a closure returns for the value. A closure that is isolated to an actor runs on
  /// that actor. Any other closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency @discardableResult public func then<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ body: __owned @escaping @Sendable @isolated(any) (T) -> Guarantee<U>
  ) -> Guarantee<U> { .init(_source.then(.on(on, flags, body.isolation), PromiseAdapter.plain(body))) }

  /// Returns a guarantee that is fulfilled without a value when this guarantee is fulfilled.
  @inlinable public func asVoid() -> Guarantee<Void> { .init(_source.map(.immediate) { _ in }) }
}

extension Guarantee where T == Void {
  /// Creates a fulfilled guarantee.
  @inlinable public convenience init() { self.init(_Source(())) }
  /// A fulfilled guarantee.
  @inlinable public static var value: Guarantee<Void> { Guarantee() }
}
