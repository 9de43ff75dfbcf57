public import Dispatch
internal import Overmorrow

extension Guarantee where T: Sequence {
  /// What a closure makes of each element.
  public func mapValues<U>(_ transform: @escaping @isolated(any) (T.Element) -> U) -> Guarantee<[U]> {
    .init(_source.each(.map(transform.isolation), Isolation.plain(transform)) { $0.map($1) })
  }
  /// What a closure makes of each element; on a queue.
  @preconcurrency public func mapValues<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: sending @escaping (T.Element) -> U
  ) -> Guarantee<[U]> { .init(_source.each(.on(on, flags), transform) { $0.map($1) }) }

  /// What a closure makes of each element, in one array.
  public func flatMapValues<U: Sequence>(
    _ transform: @escaping @isolated(any) (T.Element) -> U
  ) -> Guarantee<[U.Element]> {
    .init(_source.each(.map(transform.isolation), Isolation.plain(transform)) { $0.flatMap($1) })
  }
  /// What a closure makes of each element, in one array; on a queue.
  @preconcurrency public func flatMapValues<U: Sequence>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: sending @escaping (T.Element) -> U
  ) -> Guarantee<[U.Element]> { .init(_source.each(.on(on, flags), transform) { $0.flatMap($1) }) }

  /// What a closure makes of each element, without `nil`.
  public func compactMapValues<U>(_ transform: @escaping @isolated(any) (T.Element) -> U?) -> Guarantee<[U]> {
    .init(_source.each(.map(transform.isolation), Isolation.plain(transform)) { $0.compactMap($1) })
  }
  /// What a closure makes of each element, without `nil`; on a queue.
  @preconcurrency public func compactMapValues<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: sending @escaping (T.Element) -> U?
  ) -> Guarantee<[U]> { .init(_source.each(.on(on, flags), transform) { $0.compactMap($1) }) }

  /// The values of what a closure makes of all elements, in their order.
  public func thenMap<U>(_ transform: @escaping @isolated(any) (T.Element) -> Guarantee<U>) -> Guarantee<[U]> {
    .init(_source.thenMap(.map(transform.isolation), Isolation.plain(transform)))
  }
  /// The values of what a closure makes of all elements, in their order; on a queue.
  @preconcurrency public func thenMap<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: sending @escaping (T.Element) -> Guarantee<U>
  ) -> Guarantee<[U]> { .init(_source.thenMap(.on(on, flags), transform)) }

  /// The elements of what a closure makes of all elements; of what is rejected none, and the log gets the error.
  public func thenFlatMap<U: Thenable>(
    _ transform: @escaping @isolated(any) (T.Element) -> U
  ) -> Guarantee<[U.T.Element]> where U.T: Sequence {
    .init(_source.thenFlatMap(.map(transform.isolation), Isolation.plain(transform)))
  }
  /// The elements of what a closure makes of all elements; of what is rejected none, and the log gets the error; on a
  /// queue.
  @preconcurrency public func thenFlatMap<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: sending @escaping (T.Element) -> U
  ) -> Guarantee<[U.T.Element]> where U.T: Sequence {
    .init(_source.thenFlatMap(.on(on, flags), transform))
  }

  /// The elements for which a closure returns `true`.
  public func filterValues(_ isIncluded: @escaping @isolated(any) (T.Element) -> Bool) -> Guarantee<[T.Element]> {
    .init(_source.each(.map(isIncluded.isolation), Isolation.plain(isIncluded)) { $0.filter($1) })
  }
  /// The elements for which a closure returns `true`; on a queue.
  @preconcurrency public func filterValues(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ isIncluded: sending @escaping (T.Element) -> Bool
  ) -> Guarantee<[T.Element]> { .init(_source.each(.on(on, flags), isIncluded) { $0.filter($1) }) }

  /// The elements, sorted by a closure.
  @preconcurrency public func sortedValues(
    on: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ areInIncreasingOrder: sending @escaping (T.Element, T.Element) -> Bool
  ) -> Guarantee<[T.Element]> {
    .init(_source.map(.on(on, flags)) { $0.sorted(by: areInIncreasingOrder) })
  }
}

extension Guarantee where T: Sequence, T.Element: Comparable {
  /// The elements, sorted.
  public func sortedValues(
    on: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil
  ) -> Guarantee<[T.Element]> { .init(_source.map(.on(on, flags)) { $0.sorted() }) }
}
