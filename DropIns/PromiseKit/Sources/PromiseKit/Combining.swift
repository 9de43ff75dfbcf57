internal import Foundation
public import Overmorrow

// The parts of the combinators that are not declarations of the original library.

/// Returns a source for the values of several sources, in the order of the sources. The source returned is rejected
/// with the first error.
@inlinable func all<T>(_ inputs: [_Source<T>]) -> _Source<[T]> {
  let meter = Meter(inputs.count)
  let values = _Source<[T]>(
    core: PromiseAdapter.transformResult(
      Overmorrow.when(fulfilled: inputs.map { $0.core }), on: .immediate, token: nil
    ) { outcome in
      switch outcome {
      case .value(let values): .value(Kept(values.map { $0.value }))
      case .error(let error): .error(error)
      case .cancelled: .promise(firstError(inputs.map { error(of: $0) }))
      }
    })
  for input in inputs { meter.count(input) }
  return meter.end(values)
}

/// Returns a source for the values of several sources of different types. The source returned is rejected with the
/// first error.
func all<each T>(_ input: repeat _Source<each T>) -> _Source<(repeat each T)> {
  var count = 0
  for _ in repeat (each input) { count += 1 }
  let meter = Meter(count)
  var errors: [@Sendable () -> Core<any Error>] = []
  repeat errors.append(laterError(of: each input))
  let values = PromiseAdapter.transformValue(
    Overmorrow.when(fulfilled: repeat (each input).core), on: .immediate, token: nil
  ) { values in .value(Kept((repeat (each values).value))) }
  let combined = _Source<(repeat each T)>(core: values.orFirstError(errors))
  repeat meter.count(each input)
  return meter.end(combined)
}

// A promise whose resolver was released without a call stays pending in the original library. In this module, the
// source of such a promise is cancelled, and so is a combination that contains the source. But if another input of the
// combination is rejected, the combination is rejected instead.

/// Returns a promise for the error of a source. If the source has no error, the promise returned is cancelled.
@usableFromInline func error<T>(of input: _Source<T>) -> Core<any Error> {
  PromiseAdapter.transformResult(input.core, on: .immediate, token: nil) { outcome in
    outcome.error.map { .value(Kept($0)) } ?? .result(.cancelled)
  }
}

private func laterError<T>(of input: _Source<T>) -> @Sendable () -> Core<any Error> { { error(of: input) } }

/// Returns a promise that is rejected with the first of several errors. If there is no error, the promise is cancelled.
@usableFromInline func firstError<T>(_ errors: [Core<any Error>]) -> Core<T> {
  PromiseAdapter.transformResult(Overmorrow.when(firstFulfilled: errors), on: .immediate, token: nil) { outcome in
    outcome.value.map { .error($0.value) } ?? .result(.cancelled)
  }
}

extension Overmorrow.Promise where Failure == any Error {
  /// Returns a promise with the same result. But if this promise is cancelled, the new promise is rejected with the
  /// first of several errors.
  fileprivate func orFirstError<T>(_ errors: [@Sendable () -> Core<any Error>]) -> Core<T> where Value == Kept<T> {
    PromiseAdapter.transformResult(self, on: .immediate, token: nil) { outcome in
      outcome.isCancelled ? .promise(firstError(errors.map { $0() })) : .result(outcome)
    }
  }
}

/// Returns a source for the results of several sources, in the order of the sources.
func results<T>(_ inputs: [_Source<T>]) -> _Source<[Result<T>]> { all(inputs.map { $0.settled() }) }

/// Returns a source for the first result of several sources.
func first<T>(_ inputs: [_Source<T>]) -> _Source<T> { _Source(core: Overmorrow.when(first: inputs.map { $0.core })) }

/// Returns a source for the first value of several sources. If no input is fulfilled, the source returned is rejected
/// with `PMKError.noWinner`.
func firstFulfilled<T>(_ inputs: [_Source<T>]) -> _Source<T> {
  _Source(
    core: PromiseAdapter.transformError(
      Overmorrow.when(firstFulfilled: inputs.map { $0.core }), on: .immediate, token: nil
    ) { _ in .error(PMKError.noWinner) })
}

/// Returns a source for the values of the sources that a closure returns for the elements of an iterator. At most
/// `limit` of these sources are pending at a time.
func bounded<It: IteratorProtocol, U>(
  _ iterator: It, _ limit: Int, _ transform: @escaping (It.Element) -> _Source<U>
) -> _Source<[U]> {
  if limit <= 0 { return _Source(error: PMKError.badInput) }
  let (inputs, transform) = (Kept(IteratorSequence(iterator).lazy.map { Kept($0) }), Kept(transform))
  let values = Overmorrow.when(fulfilled: inputs.value, maxConcurrent: limit, on: .immediate) {
    transform.value($0.value).core
  }
  return _Source(
    core: PromiseAdapter.transformValue(values, on: .immediate, token: nil) { .value(Kept($0.map { $0.value })) })
}

/// A counter of the resolved inputs of a combinator. If there is a current `Progress`, a child of that `Progress` shows
/// the count. If the combinator is rejected, the count jumps to its total and stays there.
@usableFromInline struct Meter: Sendable {
  private let count: Count?

  @usableFromInline init(_ total: Int) { count = Progress.current().map { _ in Count(total) } }

  @usableFromInline func count<T>(_ input: _Source<T>) {
    guard let count else { return }
    input.core.tap(on: .immediate) { _ in count.add(1) }
  }

  @usableFromInline func end<T>(_ combined: _Source<T>) -> _Source<T> {
    if let count {
      combined.core.tap(on: .immediate) { if $0.error != nil { count.add(count.total) } }
    }
    return combined
  }
}

/// A count that a `Progress` shows. The count never exceeds `total`.
private final class Count: Sendable {
  let total: Int64
  private let progress: Kept<Progress>
  private let state = Locked<(reached: Int64, isShowing: Bool)>((0, false))

  init(_ total: Int) {
    self.total = Int64(total)
    progress = Kept(Progress(totalUnitCount: Int64(total)))
    progress.value.isCancellable = false
    progress.value.isPausable = false
  }

  /// Adds units. Only one thread at a time updates the `Progress`, because `Progress` calls observers and its count is
  /// not atomic. A call on another thread leaves its units to the thread that is updating the `Progress`.
  func add(_ units: Int64) {
    var next = state.withLock { state -> Int64? in
      state.reached = min(state.reached + units, total)
      if state.isShowing { return nil }
      state.isShowing = true
      return state.reached
    }
    while let shown = next {
      progress.value.completedUnitCount = shown
      next = state.withLock { state in
        state.isShowing = state.reached != shown
        return state.isShowing ? state.reached : nil
      }
    }
  }
}
