public import Dispatch
internal import Overmorrow

extension Thenable where T: Sequence {
  /// What a closure makes of each element.
  public func mapValues<U>(_ transform: @escaping @isolated(any) (T.Iterator.Element) throws -> U) -> Promise<[U]> {
    Promise(of: each(.map(transform.isolation), Isolation.plain(transform)) { try $0.map($1) })
  }

  /// What a closure makes of each element; on a queue.
  @preconcurrency public func mapValues<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ transform: sending @escaping (T.Iterator.Element) throws -> U
  ) -> Promise<[U]> { Promise(of: each(.on(on, flags), transform) { try $0.map($1) }) }

  /// What a closure makes of each element, in one array.
  public func flatMapValues<U: Sequence>(
    _ transform: @escaping @isolated(any) (T.Iterator.Element) throws -> U
  ) -> Promise<[U.Iterator.Element]> {
    Promise(of: each(.map(transform.isolation), Isolation.plain(transform)) { try $0.flatMap($1) })
  }

  /// What a closure makes of each element, in one array; on a queue.
  @preconcurrency public func flatMapValues<U: Sequence>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ transform: sending @escaping (T.Iterator.Element) throws -> U
  ) -> Promise<[U.Iterator.Element]> { Promise(of: each(.on(on, flags), transform) { try $0.flatMap($1) }) }

  /// What a closure makes of each element, without `nil`.
  public func compactMapValues<U>(
    _ transform: @escaping @isolated(any) (T.Iterator.Element) throws -> U?
  ) -> Promise<[U]> {
    Promise(of: each(.map(transform.isolation), Isolation.plain(transform)) { try $0.compactMap($1) })
  }

  /// What a closure makes of each element, without `nil`; on a queue.
  @preconcurrency public func compactMapValues<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ transform: sending @escaping (T.Iterator.Element) throws -> U?
  ) -> Promise<[U]> { Promise(of: each(.on(on, flags), transform) { try $0.compactMap($1) }) }

  /// The values of what a closure makes of all elements, in their order.
  public func thenMap<U: Thenable>(
    _ transform: @escaping @isolated(any) (T.Iterator.Element) throws -> U
  ) -> Promise<[U.T]> { Promise(of: gathered(.map(transform.isolation), Isolation.plain(transform))) }

  /// The values of what a closure makes of all elements, in their order; on a queue.
  @preconcurrency public func thenMap<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ transform: sending @escaping (T.Iterator.Element) throws -> U
  ) -> Promise<[U.T]> { Promise(of: gathered(.on(on, flags), transform)) }

  /// The elements of the values of what a closure makes of all elements.
  public func thenFlatMap<U: Thenable>(
    _ transform: @escaping @isolated(any) (T.Iterator.Element) throws -> U
  ) -> Promise<[U.T.Iterator.Element]> where U.T: Sequence {
    Promise(of: flattened(.map(transform.isolation), Isolation.plain(transform)))
  }

  /// The elements of the values of what a closure makes of all elements; on a queue.
  @preconcurrency public func thenFlatMap<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ transform: sending @escaping (T.Iterator.Element) throws -> U
  ) -> Promise<[U.T.Iterator.Element]> where U.T: Sequence { Promise(of: flattened(.on(on, flags), transform)) }

  /// The elements for which a closure returns `true`.
  public func filterValues(
    _ isIncluded: @escaping @isolated(any) (T.Iterator.Element) -> Bool
  ) -> Promise<[T.Iterator.Element]> {
    Promise(of: each(.map(isIncluded.isolation), Isolation.plain(isIncluded)) { $0.filter($1) })
  }

  /// The elements for which a closure returns `true`; on a queue.
  @preconcurrency public func filterValues(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ isIncluded: sending @escaping (T.Iterator.Element) -> Bool
  ) -> Promise<[T.Iterator.Element]> { Promise(of: each(.on(on, flags), isIncluded) { $0.filter($1) }) }

  func each<C, U>(_ context: PromiseContext, _ closure: C, _ body: @escaping (T, C) throws -> U) -> Core<U> {
    mapped(context) { try body($0, closure) }
  }

  func gathered<U: Thenable>(
    _ context: PromiseContext, _ transform: @escaping (T.Iterator.Element) throws -> U
  )
    -> Core<[U.T]>
  {
    step(context) { .promise(all(try $0.map { try transform($0)._source.core })) }
  }

  private func flattened<U: Thenable>(
    _ context: PromiseContext, _ transform: @escaping (T.Iterator.Element) throws -> U
  )
    -> Core<[U.T.Iterator.Element]> where U.T: Sequence
  {
    Promise(of: gathered(context, transform)).mapped(.immediate) { $0.flatMap { $0 } }
  }
}

extension Thenable where T: Collection {
  /// The first element; rejected with `PMKError.emptySequence` if there is none.
  public var firstValue: Promise<T.Iterator.Element> {
    Promise(of: found(.immediate, { _ in true }) { $0.first(where: $1) })
  }

  /// The last element; rejected with `PMKError.emptySequence` if there is none.
  public var lastValue: Promise<T.Iterator.Element> {
    Promise(of: found(.immediate, ()) { values, _ in values.suffix(1).first })
  }

  /// The first element for which a closure returns `true`; rejected with `PMKError.emptySequence` if there is none.
  public func firstValue(
    where test: @escaping @isolated(any) (T.Iterator.Element) -> Bool
  ) -> Promise<T.Iterator.Element> {
    Promise(of: found(.map(test.isolation), Isolation.plain(test)) { $0.first(where: $1) })
  }

  /// The first element for which a closure returns `true`; rejected with `PMKError.emptySequence` if there is none; on a queue.
  @preconcurrency public func firstValue(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    where test: sending @escaping (T.Iterator.Element) -> Bool
  ) -> Promise<T.Iterator.Element> { Promise(of: found(.on(on, flags), test) { $0.first(where: $1) }) }

  private func found<C>(
    _ context: PromiseContext, _ test: C, _ find: @escaping (T, C) -> T.Iterator.Element?
  ) -> Core<T.Iterator.Element> {
    mapped(context) {
      guard let element = find($0, test) else { throw PMKError.emptySequence }
      return element
    }
  }
}

extension Thenable where T: Sequence, T.Iterator.Element: Comparable {
  /// The elements, sorted.
  public func sortedValues(
    on: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil
  ) -> Promise<[T.Iterator.Element]> { Promise(of: mapped(.on(on, flags)) { $0.sorted() }) }
}
