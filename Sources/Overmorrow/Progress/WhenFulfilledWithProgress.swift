/// A promise for the values of all promises, in their order, and their progress taken together.
///
/// The inputs are what ``Promise/withProgress(on:total:_:)`` returns, or any promise beside the progress of its work.
///
/// ```swift
/// let (files, progress) = when(fulfilledWithProgress: names.map { download($0) }, weights: sizes)
/// progress.onProgress(on: .main) { step in show(step.fraction) }
/// ```
///
/// What is completed of an input counts as that share of its weight. The progress ends with the promise: complete if that
/// is fulfilled, and as far as it has come otherwise, also while other inputs go on.
///
/// - Fulfils, fails, cancels: as ``when(fulfilled:cancelOnFailure:)``.
/// - Runs on: nothing of yours is run.
/// - Parameters:
///   - inputs: The promises, and how far they have come.
///   - weights: What each input is worth, in any unit, such as bytes; one that has none here is worth 1.
///   - cancelOnFailure: Whether all the inputs are asked to cancel as soon as one is rejected or cancelled.
/// - Complexity: One registration, and one observer, for each input.
public func when<Value, Failure>(
  fulfilledWithProgress inputs: [(promise: Promise<Value, Failure>, progress: PromiseProgress)], weights: [Int64] = [],
  cancelOnFailure: Bool = false
) -> (promise: Promise<[Value], Failure>, progress: PromiseProgress) {
  let progress = PromiseProgress(combining: inputs.map(\.progress), weights)
  return progress.ending(with: when(fulfilled: inputs.map(\.promise), cancelOnFailure: cancelOnFailure))
}

/// A promise for the values of promises of different types, in their order, and their progress taken together.
///
/// Behaves as the form for an array.
///
/// ```swift
/// let (both, progress) = when(fulfilledWithProgress: downloadText(), downloadImage(), weights: [1, 9])
/// ```
///
/// - Parameters:
///   - input: The promises, and how far they have come; any number of them.
///   - weights: What each input is worth, in any unit, such as bytes; one that has none here is worth 1.
///   - cancelOnFailure: Whether all the inputs are asked to cancel as soon as one is rejected or cancelled.
/// - Complexity: One registration, and one observer, for each input.
public func when<each Value: Sendable, Failure>(
  fulfilledWithProgress input: repeat (promise: Promise<each Value, Failure>, progress: PromiseProgress),
  weights: [Int64] = [], cancelOnFailure: Bool = false
) -> (promise: Promise<(repeat each Value), Failure>, progress: PromiseProgress) {
  var parts: [PromiseProgress] = []
  repeat parts.append((each input).progress)
  let progress = PromiseProgress(combining: parts, weights)
  return progress.ending(
    with: when(fulfilled: repeat (each input).promise, cancelOnFailure: cancelOnFailure))
}

extension PromiseProgress {
  fileprivate convenience init(combining parts: [PromiseProgress], _ weights: [Int64]) {
    self.init(
      combining: parts.enumerated().map { index, part in
        (progress: part, weight: index < weights.count ? weights[index] : 1)
      })
  }

  /// Ends with a promise.
  fileprivate func ending<Value, Failure>(
    with promise: Promise<Value, Failure>
  ) -> (promise: Promise<Value, Failure>, progress: PromiseProgress) {
    promise.tap(on: .immediate) { result in self.finish(isComplete: result.value != nil) }
    return (promise, self)
  }
}
