public import Dispatch
internal import Overmorrow

extension Guarantee where T: Sequence {
  /// Transforms each element with a closure.
  public func mapValues<U>(_ transform: @escaping @isolated(any) (T.Element) -> U) -> Guarantee<[U]> {
    .init(_source.each(.map(transform.isolation), PromiseAdapter.plain(transform)) { $0.map($1) })
  }
  /// Transforms each element with a closure. The closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  public func mapValues<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: @escaping (T.Element) -> U
  ) -> Guarantee<[U]> { .init(_source.each(.on(on, flags), transform) { $0.map($1) }) }
  /// Transforms each element with a closure. A closure that is isolated to an actor runs on that actor. Any other
  /// closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @preconcurrency public func mapValues<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ transform: __owned @escaping @Sendable @isolated(any) (T.Element) -> U
  ) -> Guarantee<[U]> {
    .init(_source.each(.on(on, flags, transform.isolation), PromiseAdapter.plain(transform)) { $0.map($1) })
  }

  /// Transforms each element into a sequence with a closure, and concatenates the sequences.
  public func flatMapValues<U: Sequence>(
    _ transform: @escaping @isolated(any) (T.Element) -> U
  ) -> Guarantee<[U.Element]> {
    .init(_source.each(.map(transform.isolation), PromiseAdapter.plain(transform)) { $0.flatMap($1) })
  }
  /// Transforms each element into a sequence with a closure, and concatenates the sequences. The closure runs on the
  /// queue `on`, or without a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  public func flatMapValues<U: Sequence>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: @escaping (T.Element) -> U
  ) -> Guarantee<[U.Element]> { .init(_source.each(.on(on, flags), transform) { $0.flatMap($1) }) }
  /// Transforms each element into a sequence with a closure, and concatenates the sequences. A closure that is isolated
  /// to an actor runs on that actor. Any other closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @preconcurrency public func flatMapValues<U: Sequence>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ transform: __owned @escaping @Sendable @isolated(any) (T.Element) -> U
  ) -> Guarantee<[U.Element]> {
    .init(_source.each(.on(on, flags, transform.isolation), PromiseAdapter.plain(transform)) { $0.flatMap($1) })
  }

  /// Transforms each element with a closure, and drops the results that are `nil`.
  public func compactMapValues<U>(_ transform: @escaping @isolated(any) (T.Element) -> U?) -> Guarantee<[U]> {
    .init(_source.each(.map(transform.isolation), PromiseAdapter.plain(transform)) { $0.compactMap($1) })
  }
  /// Transforms each element with a closure, and drops the results that are `nil`. The closure runs on the queue `on`,
  /// or without a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  public func compactMapValues<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: @escaping (T.Element) -> U?
  ) -> Guarantee<[U]> { .init(_source.each(.on(on, flags), transform) { $0.compactMap($1) }) }
  /// Transforms each element with a closure, and drops the results that are `nil`. A closure that is isolated to an
  /// actor runs on that actor. Any other closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @preconcurrency public func compactMapValues<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ transform: __owned @escaping @Sendable @isolated(any) (T.Element) -> U?
  ) -> Guarantee<[U]> {
    .init(_source.each(.on(on, flags, transform.isolation), PromiseAdapter.plain(transform)) { $0.compactMap($1) })
  }

  /// Continues with the values of the guarantees that a closure returns for the elements, in the order of the elements.
  public func thenMap<U>(_ transform: @escaping @isolated(any) (T.Element) -> Guarantee<U>) -> Guarantee<[U]> {
    .init(_source.thenMap(.map(transform.isolation), PromiseAdapter.plain(transform)))
  }
  /// Continues with the values of the guarantees that a closure returns for the elements, in the order of the elements.
  /// The closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  public func thenMap<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: @escaping (T.Element) -> Guarantee<U>
  ) -> Guarantee<[U]> { .init(_source.thenMap(.on(on, flags), transform)) }
  /// Continues with the values of the guarantees that a closure returns for the elements, in the order of the elements.
  /// A closure that is isolated to an actor runs on that actor. Any other closure runs on the queue `on`, or without a
  /// hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @preconcurrency public func thenMap<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ transform: __owned @escaping @Sendable @isolated(any) (T.Element) -> Guarantee<U>
  ) -> Guarantee<[U]> { .init(_source.thenMap(.on(on, flags, transform.isolation), PromiseAdapter.plain(transform))) }

  /// Runs a closure with each element, waits for the thenables that the closure returns, and concatenates their values.
  /// A rejected thenable contributes nothing, and its error is logged.
  public func thenFlatMap<U: Thenable>(
    _ transform: @escaping @isolated(any) (T.Element) -> U
  ) -> Guarantee<[U.T.Element]> where U.T: Sequence {
    .init(_source.thenFlatMap(.map(transform.isolation), PromiseAdapter.plain(transform)))
  }
  /// Runs a closure with each element, waits for the thenables that the closure returns, and concatenates their values.
  /// A rejected thenable contributes nothing, and its error is logged. The closure runs on the queue `on`, or without a
  /// hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  public func thenFlatMap<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: @escaping (T.Element) -> U
  ) -> Guarantee<[U.T.Element]> where U.T: Sequence {
    .init(_source.thenFlatMap(.on(on, flags), transform))
  }
  /// Runs a closure with each element, waits for the thenables that the closure returns, and concatenates their values.
  /// A rejected thenable contributes nothing, and its error is logged. A closure that is isolated to an actor runs on
  /// that actor. Any other closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @preconcurrency public func thenFlatMap<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ transform: __owned @escaping @Sendable @isolated(any) (T.Element) -> U
  ) -> Guarantee<[U.T.Element]> where U.T: Sequence {
    .init(_source.thenFlatMap(.on(on, flags, transform.isolation), PromiseAdapter.plain(transform)))
  }

  /// Keeps the elements for which a closure returns `true`.
  public func filterValues(_ isIncluded: @escaping @isolated(any) (T.Element) -> Bool) -> Guarantee<[T.Element]> {
    .init(_source.each(.map(isIncluded.isolation), PromiseAdapter.plain(isIncluded)) { $0.filter($1) })
  }
  /// Keeps the elements for which a closure returns `true`. The closure runs on the queue `on`, or without a hop if
  /// `on` is `nil`.
  @available(swift, obsoleted: 6)
  public func filterValues(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ isIncluded: @escaping (T.Element) -> Bool
  ) -> Guarantee<[T.Element]> { .init(_source.each(.on(on, flags), isIncluded) { $0.filter($1) }) }
  /// Keeps the elements for which a closure returns `true`. A closure that is isolated to an actor runs on that actor.
  /// Any other closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @preconcurrency public func filterValues(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ isIncluded: __owned @escaping @Sendable @isolated(any) (T.Element) -> Bool
  ) -> Guarantee<[T.Element]> {
    .init(_source.each(.on(on, flags, isIncluded.isolation), PromiseAdapter.plain(isIncluded)) { $0.filter($1) })
  }

  /// Sorts the elements in the order that a closure defines.
  @available(swift, obsoleted: 6)
  public func sortedValues(
    on: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ areInIncreasingOrder: @escaping (T.Element, T.Element) -> Bool
  ) -> Guarantee<[T.Element]> {
    .init(_source.map(.on(on, flags)) { $0.sorted(by: areInIncreasingOrder) })
  }
  /// Sorts the elements in the order that a closure defines.
  @available(swift, introduced: 6)
  @preconcurrency public func sortedValues(
    on: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ areInIncreasingOrder: __owned @escaping @Sendable (T.Element, T.Element) -> Bool
  ) -> Guarantee<[T.Element]> {
    .init(_source.map(.on(on, flags)) { $0.sorted(by: areInIncreasingOrder) })
  }
}

extension Guarantee where T: Sequence, T.Element: Comparable {
  /// Sorts the elements.
  public func sortedValues(
    on: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil
  ) -> Guarantee<[T.Element]> { .init(_source.map(.on(on, flags)) { $0.sorted() }) }
}
