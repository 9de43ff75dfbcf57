public import Overmorrow
internal import OvermorrowEngine

extension PromiseProgress {
  /// Creates the weighted progress of several pieces of work, such as the inputs of a `when`.
  ///
  /// Each part contributes its weight, multiplied by the completed fraction of the part. The combined units are
  /// thousandths of a weight. A part whose total is unknown or 0 contributes only when the part is complete. If the
  /// total of a part grows, the contribution of the part does not decrease. The combined progress is finished when all
  /// parts are finished, and complete if all parts are complete.
  ///
  /// - Parameter parts: The pieces of work, with their weights in any unit. A negative weight counts as zero.
  /// - Complexity: One observer for each part. Handling a step of a part takes constant time.
  public convenience init(combining parts: [(progress: PromiseProgress, weight: Int64)]) {
    let parts = parts.map { ($0.progress, Share.units(of: $0.weight)) }
    self.init(total: parts.reduce(0) { $0.addingReportingOverflow($1.1).partialValue })
    let sum = Share.SharedSum(Share.Sum(missing: parts.count))
    if parts.isEmpty { finish(isComplete: true) }
    let shares = parts.map { part in (part.0, Share(units: part.1, of: sum)) }
    for (progress, share) in shares {
      progress.add(ProgressObserver(on: .immediate, token: nil) { step in self.take(share, at: step) })
    }
  }

  /// Creates the progress of several pieces of work with equal weights.
  ///
  /// - Parameter parts: The pieces of work.
  public convenience init(combining parts: [PromiseProgress]) {
    self.init(combining: parts.map { (progress: $0, weight: 1) })
  }

  /// Ends this progress when a promise is resolved. If the promise is fulfilled, the progress is complete. If the
  /// promise is rejected or cancelled, the progress keeps its last state.
  ///
  /// Use this method to end the combined progress of several pieces of work together with their
  /// `when(fulfilled:)`:
  ///
  /// ```swift
  /// let (text, image) = (downloadText(), downloadImage())
  /// let both = when(fulfilled: text.promise, image.promise)
  /// let progress = PromiseProgress(combining: [(text.progress, 1), (image.progress, 9)]).ending(with: both)
  /// ```
  ///
  /// - Parameter promise: The promise to observe. The observer has no vote on the cancellation of the promise.
  /// - Returns: This progress.
  @discardableResult
  public func ending<Value, Failure>(with promise: Promise<Value, Failure>) -> PromiseProgress {
    promise.whenResolved { result in self.finish(isComplete: result.value != nil) }
    return self
  }

  private func take(_ share: Share, at step: Step) {
    let sum = share.update(step)
    report(completed: sum.completed)
    if sum.missing == 0 { finish(isComplete: sum.isComplete) }
  }
}

/// The contribution of one part to the combined progress.
private final class Share: Sendable {
  struct Sum: Sendable {
    var completed: Int64 = 0
    var missing: Int
    var isComplete = true
  }

  private let units: Int64
  private let sum: SharedSum
  private let counted = Guarded<Int64>(0)

  final class SharedSum: Sendable {
    let sum: Guarded<Sum>
    init(_ sum: Sum) { self.sum = Guarded(sum) }
  }

  init(units: Int64, of sum: SharedSum) {
    self.units = units
    self.sum = sum
  }

  static func units(of weight: Int64) -> Int64 { Swift.min(Swift.max(0, weight), Int64.max / 1_000_000_000) * 1000 }

  /// Adds the progress of the part since the last call, and returns the new sum. The calls for one part are serial.
  func update(_ step: PromiseProgress.Step) -> Sum {
    let now = Int64(Double(units) * (step.fraction ?? 0))
    let new = counted.withLock { counted in
      defer { counted = Swift.max(counted, now) }
      return Swift.max(0, now - counted)
    }
    return sum.sum.withLock { sum in
      sum.completed += new
      if step.isFinished {
        sum.missing -= 1
        if !step.isComplete { sum.isComplete = false }
      }
      return sum
    }
  }
}
