internal import Foundation
internal import Overmorrow

// What of the combinators has no name in the original.

/// The values of several promises, in order; or the first error.
func all<T>(_ inputs: [Core<T>]) -> Core<[T]> {
  let meter = Meter(inputs.count)
  let values = Overmorrow.when(fulfilled: inputs).transformValue(on: .immediate, token: nil) { values in
    StepResult<Kept<[T]>, any Error>.value(Kept(values.map(\.value)))
  }
  for input in inputs { meter.count(input) }
  return meter.end(values)
}

/// The values of several promises of different types; or the first error.
func all<each T>(_ input: repeat Core<each T>) -> Core<(repeat each T)> {
  let values = Overmorrow.when(fulfilled: repeat each input).transformValue(on: .immediate, token: nil) { values in
    StepResult<Kept<(repeat each T)>, any Error>.value(Kept((repeat (each values).value)))
  }
  var count = 0
  for _ in repeat (each input) { count += 1 }
  let meter = Meter(count)
  repeat meter.count(each input)
  return meter.end(values)
}

/// The results of several promises, in order.
func results<T>(_ inputs: [Core<T>]) -> Core<[Result<T>]> {
  let meter = Meter(inputs.count)
  let results = Overmorrow.when(settled: inputs).transformResult(on: .immediate, token: nil) { results in
    let known = (results.value ?? []).compactMap { Result($0) }
    // One that can get no result any more leaves this pending, too.
    return known.count == inputs.count
      ? StepResult<Kept<[Result<T>]>, any Error>.value(Kept(known)) : .result(.cancelled)
  }
  for input in inputs { meter.count(input) }
  return meter.end(results)
}

/// The values of what an iterator gives, so many at a time.
func bounded<It: IteratorProtocol, U>(
  _ iterator: It, _ limit: Int, _ transform: @escaping (It.Element) -> Core<U>
) -> Core<[U]> {
  if limit <= 0 { return Core<[U]>(rejected: PMKError.badInput) }
  let (inputs, transform) = (Kept(IteratorSequence(iterator).lazy.map { Kept($0) }), Kept(transform))
  return Overmorrow.when(fulfilled: inputs.value, maxConcurrent: limit, on: .immediate) { transform.value($0.value) }
    .transformValue(on: .immediate, token: nil) { .value(Kept($0.map(\.value))) }
}

/// Counts the inputs of a combinator in a `Progress`, if there is one that this can belong to. An error completes it.
private struct Meter {
  private let progress: Kept<Progress>?

  init(_ count: Int) {
    progress = Progress.current().map { _ in Kept(Progress(totalUnitCount: Int64(count))) }
    progress?.value.isCancellable = false
    progress?.value.isPausable = false
  }

  func count<T>(_ input: Core<T>) {
    guard let progress else { return }
    _ = input.reportResult(on: .immediate, token: nil) { _ in progress.value.completedUnitCount += 1 }
  }

  func end<T>(_ combined: Core<T>) -> Core<T> {
    guard let progress else { return combined }
    return combined.reportResult(on: .immediate, token: nil) { result in
      if result.error != nil { progress.value.completedUnitCount = progress.value.totalUnitCount }
    }
  }
}
