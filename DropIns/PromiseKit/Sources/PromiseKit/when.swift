internal import Overmorrow

// MARK: Promises

/// Returns a promise for the values of several thenables, in the order of the thenables. The promise returned is
/// rejected with the first error.
@inlinable public func when<U: Thenable>(fulfilled thenables: [U]) -> Promise<[U.T]> {
  Promise(all(thenables.map { $0._source }))
}

/// Returns a promise for the values of thenables of different types, in the order of the thenables. The promise
/// returned is rejected with the first error.
@_disfavoredOverload  // so that an array of one type selects the form above, as in PromiseKit 6
public func when(fulfilled thenables: [any Thenable]) -> Promise<[Any]> {
  func anyValue<U: Thenable>(_ thenable: U) -> _Source<Any> { thenable._source.map(.immediate) { $0 } }
  return Promise(all(thenables.map { anyValue($0) }))
}

/// Returns a promise that is fulfilled when all thenables are fulfilled, and rejected with the first error.
public func when<U: Thenable>(fulfilled promises: U...) -> Promise<Void> where U.T == Void { when(fulfilled: promises) }
/// Returns a promise that is fulfilled when all thenables are fulfilled, and rejected with the first error.
public func when<U: Thenable>(fulfilled promises: [U]) -> Promise<Void> where U.T == Void {
  Promise(all(promises.map { $0._source }).map(.immediate) { _ in })
}

/// Returns a promise for the values of two thenables. The promise returned is rejected with the first error.
public func when<U: Thenable, V: Thenable>(fulfilled pu: U, _ pv: V) -> Promise<(U.T, V.T)> {
  Promise(all(pu._source, pv._source))
}
/// Returns a promise for the values of three thenables. The promise returned is rejected with the first error.
public func when<U: Thenable, V: Thenable, W: Thenable>(fulfilled pu: U, _ pv: V, _ pw: W) -> Promise<(U.T, V.T, W.T)> {
  Promise(all(pu._source, pv._source, pw._source))
}
/// Returns a promise for the values of four thenables. The promise returned is rejected with the first error.
public func when<U: Thenable, V: Thenable, W: Thenable, X: Thenable>(
  fulfilled pu: U, _ pv: V, _ pw: W, _ px: X
) -> Promise<(U.T, V.T, W.T, X.T)> { Promise(all(pu._source, pv._source, pw._source, px._source)) }
/// Returns a promise for the values of five thenables. The promise returned is rejected with the first error.
public func when<U: Thenable, V: Thenable, W: Thenable, X: Thenable, Y: Thenable>(
  fulfilled pu: U, _ pv: V, _ pw: W, _ px: X, _ py: Y
) -> Promise<(U.T, V.T, W.T, X.T, Y.T)> { Promise(all(pu._source, pv._source, pw._source, px._source, py._source)) }
/// Returns a promise for the values of six or more thenables. The promise returned is rejected with the first error.
public func when<U: Thenable, V: Thenable, W: Thenable, X: Thenable, Y: Thenable, Z: Thenable, each More: Thenable>(
  fulfilled pu: U, _ pv: V, _ pw: W, _ px: X, _ py: Y, _ pz: Z, _ more: repeat each More
) -> Promise<(U.T, V.T, W.T, X.T, Y.T, Z.T, repeat (each More).T)> {
  Promise(
    all(
      pu._source, pv._source, pw._source, px._source, py._source, pz._source,
      repeat (each more)._source))
}

/// Returns a promise for the values of the thenables that an iterator returns, in the order of the thenables. At most
/// `concurrently` thenables are pending at a time. The promise returned is rejected with the first error.
///
/// The iterator's `next()` is called inside this call and inside the calls that fulfil the thenables. `next()` is not
/// called after an error. If `concurrently` is less than 1, the promise returned is rejected with `PMKError.badInput`.
public func when<It: IteratorProtocol>(
  fulfilled promiseIterator: It, concurrently: Int
) -> Promise<[It.Element.T]> where It.Element: Thenable {
  Promise(bounded(promiseIterator, concurrently) { $0._source })
}

/// Returns a guarantee of the results of several promises, in the order of the promises.
public func when<T>(resolved promises: Promise<T>...) -> Guarantee<[Result<T>]> { when(resolved: promises) }
/// Returns a guarantee of the results of several promises, in the order of the promises.
public func when<T>(resolved promises: [Promise<T>]) -> Guarantee<[Result<T>]> {
  Guarantee(results(promises.map { $0._source }))
}

/// Returns a guarantee of the results of the thenables that an iterator returns, in the order of the thenables. At most
/// `concurrently` thenables are pending at a time.
///
/// The iterator's `next()` is called inside this call and inside the calls that resolve the thenables. If
/// `concurrently` is less than 1, the only result is the error `PMKError.badInput`.
public func when<It: IteratorProtocol>(
  resolved promiseIterator: It, concurrently: Int
) -> Guarantee<[Result<It.Element.T>]> where It.Element: Thenable {
  if concurrently <= 0 { return .value([.rejected(PMKError.badInput)]) }
  return Guarantee(bounded(promiseIterator, concurrently) { $0._source.settled() })
}

// MARK: Guarantees

/// Returns a guarantee that is fulfilled when all guarantees in the argument are fulfilled.
public func when(_ guarantees: Guarantee<Void>...) -> Guarantee<Void> { when(guarantees: guarantees) }
/// Returns a guarantee of the values of several guarantees, in the order of the guarantees.
public func when<T>(_ guarantees: Guarantee<T>...) -> Guarantee<[T]> { when(guarantees: guarantees) }
/// Returns a guarantee that is fulfilled when all guarantees in the argument are fulfilled.
public func when(guarantees: [Guarantee<Void>]) -> Guarantee<Void> {
  Guarantee(all(guarantees.map { $0._source })).asVoid()
}

/// Returns a guarantee of the values of several guarantees, in the order of the guarantees.
public func when<T>(guarantees: [Guarantee<T>]) -> Guarantee<[T]> { Guarantee(all(guarantees.map { $0._source })) }

/// Returns a guarantee of the values of two guarantees.
public func when<U, V>(guarantees gu: Guarantee<U>, _ gv: Guarantee<V>) -> Guarantee<(U, V)> {
  Guarantee(all(gu._source, gv._source))
}
/// Returns a guarantee of the values of three guarantees.
public func when<U, V, W>(guarantees gu: Guarantee<U>, _ gv: Guarantee<V>, _ gw: Guarantee<W>) -> Guarantee<(U, V, W)> {
  Guarantee(all(gu._source, gv._source, gw._source))
}
/// Returns a guarantee of the values of four guarantees.
public func when<U, V, W, X>(
  guarantees gu: Guarantee<U>, _ gv: Guarantee<V>, _ gw: Guarantee<W>, _ gx: Guarantee<X>
) -> Guarantee<(U, V, W, X)> { Guarantee(all(gu._source, gv._source, gw._source, gx._source)) }
/// Returns a guarantee of the values of five guarantees.
public func when<U, V, W, X, Y>(
  guarantees gu: Guarantee<U>, _ gv: Guarantee<V>, _ gw: Guarantee<W>, _ gx: Guarantee<X>, _ gy: Guarantee<Y>
) -> Guarantee<(U, V, W, X, Y)> { Guarantee(all(gu._source, gv._source, gw._source, gx._source, gy._source)) }
