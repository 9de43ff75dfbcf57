internal import Overmorrow

extension _Source where T: Sequence {
  /// What a function of the standard library makes of the elements and a closure.
  func each<C, U>(_ context: PromiseContext, _ closure: C, _ body: @escaping (T, C) throws -> U) -> _Source<U> {
    map(context) { try body($0, closure) }
  }

  /// The values of what a closure makes of all elements.
  func thenMap<U: Thenable>(
    _ context: PromiseContext, _ transform: @escaping (T.Element) throws -> U
  ) -> _Source<[U.T]> {
    then(context) { Promise(all(try $0.map { try transform($0)._source })) }
  }

  /// The elements of what a closure makes of all elements, without those that are rejected.
  func thenFlatMap<U: Thenable>(
    _ context: PromiseContext, _ transform: @escaping (T.Element) -> U
  ) -> _Source<[U.T.Element]> where U.T: Sequence {
    thenMap(context) { element in
      Promise(transform(element)._source.map(.immediate) { Array($0) }).recover(on: nil) { error in
        log(.cauterized(error))
        return .value([])
      }
    }.joined()
  }

  /// The elements of the elements.
  func joined() -> _Source<[T.Element.Element]> where T.Element: Sequence { map(.immediate) { $0.flatMap { $0 } } }

  /// What a closure finds in a sequence.
  func found(_ context: PromiseContext, _ find: @escaping (T) -> T.Element?) -> _Source<T.Element> {
    map(context) {
      guard let element = find($0) else { throw PMKError.emptySequence }
      return element
    }
  }
}
