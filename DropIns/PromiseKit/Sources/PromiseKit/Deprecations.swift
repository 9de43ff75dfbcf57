// swift-format-ignore-file: AmbiguousTrailingClosureOverload

public import Dispatch
internal import Overmorrow

/// Returns a promise that a completion handler resolves.
@available(*, deprecated, message: "See: `Promise.init(resolver:)`")
public func wrap<T>(_ body: (@escaping (T?, (any Error)?) -> Void) throws -> Void) -> Promise<T> {
  Promise { seal in try body { seal.resolve($0, $1) } }
}
/// Returns a promise that a completion handler resolves.
@available(*, deprecated, message: "See: `Promise.init(resolver:)`")
public func wrap<T>(_ body: (@escaping (T, (any Error)?) -> Void) throws -> Void) -> Promise<T> {
  Promise { seal in try body { seal.resolve($0, $1) } }
}
/// Returns a promise that a completion handler resolves.
@available(*, deprecated, message: "See: `Promise.init(resolver:)`")
public func wrap<T>(_ body: (@escaping ((any Error)?, T?) -> Void) throws -> Void) -> Promise<T> {
  Promise { seal in try body { seal.resolve($1, $0) } }
}
/// Returns a promise that a completion handler resolves.
@available(*, deprecated, message: "See: `Promise.init(resolver:)`")
public func wrap(_ body: (@escaping ((any Error)?) -> Void) throws -> Void) -> Promise<Void> {
  Promise { seal in try body { seal.resolve($0) } }
}
/// Returns a promise that a completion handler fulfils.
@available(*, deprecated, message: "See: `Promise.init(resolver:)`")
public func wrap<T>(_ body: (@escaping (T) -> Void) throws -> Void) -> Promise<T> {
  Promise { seal in try body { seal.fulfill($0) } }
}

extension Promise {
  /// Runs a closure whatever the result, and passes the result on.
  @available(swift, obsoleted: 6)
  @available(*, deprecated, message: "See: `ensure`")
  public func always(on q: DispatchQueue = .main, execute body: @escaping () -> Void) -> Promise {
    Promise(_source.tap(.on(q)) { _ in body() })
  }
  /// Runs a closure whatever the result, and passes the result on.
  @available(swift, introduced: 6)
  @available(*, deprecated, message: "See: `ensure`")
  @preconcurrency public func always(
    on q: DispatchQueue = .main, execute body: __owned @escaping @Sendable @isolated(any) () -> Void
  ) -> Promise { ensure(on: q, body) }
}

extension Thenable where T: Sequence {
  /// Keeps the elements for which a closure returns `true`.
  @available(swift, obsoleted: 6)
  @available(*, deprecated, message: "See: `filterValues`")
  public func filter(
    on: DispatchQueue? = conf.Q.map, test: @escaping (T.Iterator.Element) -> Bool
  ) -> Promise<[T.Iterator.Element]> { Promise(_source.each(.on(on), test) { $0.filter($1) }) }
  /// Keeps the elements for which a closure returns `true`.
  @available(swift, introduced: 6)
  @available(*, deprecated, message: "See: `filterValues`")
  @preconcurrency public func filter(
    on: DispatchQueue? = conf.Q.map, test: __owned @escaping @Sendable @isolated(any) (T.Iterator.Element) -> Bool
  ) -> Promise<[T.Iterator.Element]> { filterValues(on: on, test) }
}

extension Thenable where T: Collection {
  /// A promise for the first element.
  @available(*, deprecated, message: "See: `firstValue`")
  public var first: Promise<T.Iterator.Element> { firstValue }
  /// A promise for the last element.
  @available(*, deprecated, message: "See: `lastValue`")
  public var last: Promise<T.Iterator.Element> { lastValue }
}

extension Thenable where T: Sequence, T.Iterator.Element: Comparable {
  /// Sorts the elements.
  @available(*, deprecated, message: "See: `sortedValues`")
  public func sorted(on: DispatchQueue? = conf.Q.map) -> Promise<[T.Iterator.Element]> { sortedValues(on: on) }
}
