internal import Overmorrow

extension _Source where T: Sequence {
  /// Transforms the sequence by calling `body` with the sequence and `closure`. `body` calls a method of the standard
  /// library, such as `map`.
  func each<C, U>(_ context: PromiseContext, _ closure: C, _ body: @escaping (T, C) throws -> U) -> _Source<U> {
    map(context) { try body($0, closure) }
  }

  /// Continues with the values of the thenables that a closure returns for the elements, in the order of the elements.
  func thenMap<U: Thenable>(
    _ context: PromiseContext, _ transform: @escaping (T.Element) throws -> U
  ) -> _Source<[U.T]> {
    then(context) { Promise(all(try $0.map { try transform($0)._source })) }
  }

  /// Runs a closure with each element, waits for the thenables that the closure returns, and concatenates their values.
  /// A rejected thenable contributes nothing, and its error is logged.
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

  /// Concatenates the elements, which are sequences.
  func joined() -> _Source<[T.Element.Element]> where T.Element: Sequence { map(.immediate) { $0.flatMap { $0 } } }

  /// Continues with the element that a closure finds in the sequence. If the closure finds no element, the source
  /// returned is rejected with `PMKError.emptySequence`.
  func found(_ context: PromiseContext, _ find: @escaping (T) -> T.Element?) -> _Source<T.Element> {
    map(context) {
      guard let element = find($0) else { throw PMKError.emptySequence }
      return element
    }
  }
}
