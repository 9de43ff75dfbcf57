public import Dispatch
internal import Overmorrow

extension Thenable where T: Sequence {
  /// Transforms each element with a closure.
  public func mapValues<U>(_ transform: @escaping @isolated(any) (T.Element) throws -> U) -> Promise<[U]> {
    Promise(_source.each(.map(transform.isolation), PromiseAdapter.plain(transform)) { try $0.map($1) })
  }
  /// Transforms each element with a closure. The closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  public func mapValues<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: @escaping (T.Element) throws -> U
  ) -> Promise<[U]> { Promise(_source.each(.on(on, flags), transform) { try $0.map($1) }) }
  /// Transforms each element with a closure. A closure that is isolated to an actor runs on that actor. Any other
  /// closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @preconcurrency public func mapValues<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ transform: __owned @escaping @Sendable @isolated(any) (T.Element) throws -> U
  ) -> Promise<[U]> {
    Promise(_source.each(.on(on, flags, transform.isolation), PromiseAdapter.plain(transform)) { try $0.map($1) })
  }

  /// Transforms each element into a sequence with a closure, and concatenates the sequences.
  public func flatMapValues<U: Sequence>(
    _ transform: @escaping @isolated(any) (T.Element) throws -> U
  ) -> Promise<[U.Element]> {
    Promise(_source.each(.map(transform.isolation), PromiseAdapter.plain(transform)) { try $0.flatMap($1) })
  }
  /// Transforms each element into a sequence with a closure, and concatenates the sequences. The closure runs on the
  /// queue `on`, or without a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  public func flatMapValues<U: Sequence>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: @escaping (T.Element) throws -> U
  ) -> Promise<[U.Element]> { Promise(_source.each(.on(on, flags), transform) { try $0.flatMap($1) }) }
  /// Transforms each element into a sequence with a closure, and concatenates the sequences. A closure that is isolated
  /// to an actor runs on that actor. Any other closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @preconcurrency public func flatMapValues<U: Sequence>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ transform: __owned @escaping @Sendable @isolated(any) (T.Element) throws -> U
  ) -> Promise<[U.Element]> {
    Promise(_source.each(.on(on, flags, transform.isolation), PromiseAdapter.plain(transform)) { try $0.flatMap($1) })
  }

  /// Transforms each element with a closure, and drops the results that are `nil`.
  public func compactMapValues<U>(_ transform: @escaping @isolated(any) (T.Element) throws -> U?) -> Promise<[U]> {
    Promise(_source.each(.map(transform.isolation), PromiseAdapter.plain(transform)) { try $0.compactMap($1) })
  }
  /// Transforms each element with a closure, and drops the results that are `nil`. The closure runs on the queue `on`,
  /// or without a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  public func compactMapValues<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: @escaping (T.Element) throws -> U?
  ) -> Promise<[U]> { Promise(_source.each(.on(on, flags), transform) { try $0.compactMap($1) }) }
  /// Transforms each element with a closure, and drops the results that are `nil`. A closure that is isolated to an
  /// actor runs on that actor. Any other closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @preconcurrency public func compactMapValues<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ transform: __owned @escaping @Sendable @isolated(any) (T.Element) throws -> U?
  ) -> Promise<[U]> {
    Promise(
      _source.each(.on(on, flags, transform.isolation), PromiseAdapter.plain(transform)) { try $0.compactMap($1) })
  }

  /// Continues with the values of the thenables that a closure returns for the elements, in the order of the elements.
  public func thenMap<U: Thenable>(_ transform: @escaping @isolated(any) (T.Element) throws -> U) -> Promise<[U.T]> {
    Promise(_source.thenMap(.map(transform.isolation), PromiseAdapter.plain(transform)))
  }
  /// Continues with the values of the thenables that a closure returns for the elements, in the order of the elements.
  /// The closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  public func thenMap<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: @escaping (T.Element) throws -> U
  ) -> Promise<[U.T]> { Promise(_source.thenMap(.on(on, flags), transform)) }
  /// Continues with the values of the thenables that a closure returns for the elements, in the order of the elements.
  /// A closure that is isolated to an actor runs on that actor. Any other closure runs on the queue `on`, or without a
  /// hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @preconcurrency public func thenMap<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ transform: __owned @escaping @Sendable @isolated(any) (T.Element) throws -> U
  ) -> Promise<[U.T]> { Promise(_source.thenMap(.on(on, flags, transform.isolation), PromiseAdapter.plain(transform))) }

  /// Runs a closure with each element, waits for the thenables that the closure returns, and concatenates their values.
  public func thenFlatMap<U: Thenable>(
    _ transform: @escaping @isolated(any) (T.Element) throws -> U
  ) -> Promise<[U.T.Element]> where U.T: Sequence {
    Promise(_source.thenMap(.map(transform.isolation), PromiseAdapter.plain(transform)).joined())
  }
  /// Runs a closure with each element, waits for the thenables that the closure returns, and concatenates their values.
  /// The closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  public func thenFlatMap<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: @escaping (T.Element) throws -> U
  ) -> Promise<[U.T.Element]> where U.T: Sequence { Promise(_source.thenMap(.on(on, flags), transform).joined()) }
  /// Runs a closure with each element, waits for the thenables that the closure returns, and concatenates their values.
  /// A closure that is isolated to an actor runs on that actor. Any other closure runs on the queue `on`, or without a
  /// hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @preconcurrency public func thenFlatMap<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ transform: __owned @escaping @Sendable @isolated(any) (T.Element) throws -> U
  ) -> Promise<[U.T.Element]> where U.T: Sequence {
    Promise(_source.thenMap(.on(on, flags, transform.isolation), PromiseAdapter.plain(transform)).joined())
  }

  /// Keeps the elements for which a closure returns `true`.
  public func filterValues(_ isIncluded: @escaping @isolated(any) (T.Element) -> Bool) -> Promise<[T.Element]> {
    Promise(_source.each(.map(isIncluded.isolation), PromiseAdapter.plain(isIncluded)) { $0.filter($1) })
  }
  /// Keeps the elements for which a closure returns `true`. The closure runs on the queue `on`, or without a hop if
  /// `on` is `nil`.
  @available(swift, obsoleted: 6)
  public func filterValues(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ isIncluded: @escaping (T.Element) -> Bool
  ) -> Promise<[T.Element]> { Promise(_source.each(.on(on, flags), isIncluded) { $0.filter($1) }) }
  /// Keeps the elements for which a closure returns `true`. A closure that is isolated to an actor runs on that actor.
  /// Any other closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @preconcurrency public func filterValues(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ isIncluded: __owned @escaping @Sendable @isolated(any) (T.Element) -> Bool
  ) -> Promise<[T.Element]> {
    Promise(_source.each(.on(on, flags, isIncluded.isolation), PromiseAdapter.plain(isIncluded)) { $0.filter($1) })
  }
}

extension Thenable where T: Sequence, T.Element: Comparable {
  /// Sorts the elements.
  public func sortedValues(
    on: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil
  ) -> Promise<[T.Element]> { Promise(_source.map(.on(on, flags)) { $0.sorted() }) }
}

extension Thenable where T: Collection {
  /// A promise for the first element. If there is no element, the promise is rejected with `PMKError.emptySequence`.
  public var firstValue: Promise<T.Element> { Promise(_source.found(.immediate) { $0.first }) }
  /// A promise for the last element. If there is no element, the promise is rejected with `PMKError.emptySequence`.
  public var lastValue: Promise<T.Element> { Promise(_source.found(.immediate) { $0.suffix(1).first }) }

  /// Continues with the first element for which a closure returns `true`. If there is no such element, the promise
  /// returned is rejected with `PMKError.emptySequence`.
  public func firstValue(where test: @escaping @isolated(any) (T.Element) -> Bool) -> Promise<T.Element> {
    let plain = PromiseAdapter.plain(test)
    return Promise(_source.found(.map(test.isolation)) { $0.first(where: plain) })
  }
  /// Continues with the first element for which a closure returns `true`. If there is no such element, the promise
  /// returned is rejected with `PMKError.emptySequence`. The closure runs on the queue `on`, or without a hop if `on`
  /// is `nil`.
  @available(swift, obsoleted: 6)
  public func firstValue(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, where test: @escaping (T.Element) -> Bool
  ) -> Promise<T.Element> { Promise(_source.found(.on(on, flags)) { $0.first(where: test) }) }
  /// Continues with the first element for which a closure returns `true`. If there is no such element, the promise
  /// returned is rejected with `PMKError.emptySequence`. A closure that is isolated to an actor runs on that actor. Any
  /// other closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @preconcurrency public func firstValue(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    where test: __owned @escaping @Sendable @isolated(any) (T.Element) -> Bool
  ) -> Promise<T.Element> {
    let plain = PromiseAdapter.plain(test)
    return Promise(_source.found(.on(on, flags, test.isolation)) { $0.first(where: plain) })
  }
}
