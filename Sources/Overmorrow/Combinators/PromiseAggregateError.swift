/// Why none of several promises was fulfilled.
public struct PromiseAggregateError<Failure: Sendable>: Error {
  /// The error of each input, in the order of the inputs; `nil` for one that was cancelled.
  public let reasons: [Failure?]
  /// The numbers of the inputs, counted from zero, in the order in which they finished.
  public let finishingOrder: [Int]

  /// An error with the reasons of all inputs.
  ///
  /// - Parameters:
  ///   - reasons: The error of each input, `nil` for one that was cancelled.
  ///   - finishingOrder: The numbers of the inputs in the order in which they finished. By default they finished in the
  ///     order of the inputs.
  public init(reasons: [Failure?], finishingOrder: [Int]? = nil) {
    self.reasons = reasons
    self.finishingOrder = finishingOrder ?? Array(reasons.indices)
  }

  /// The errors in the order of the inputs, without those that were cancelled.
  public var errors: [Failure] { reasons.compactMap { $0 } }

  /// Whether there was no input at all.
  public var isEmpty: Bool { reasons.isEmpty }
}

extension PromiseAggregateError: Equatable where Failure: Equatable {}
extension PromiseAggregateError: Hashable where Failure: Hashable {}

extension PromiseAggregateError: CustomStringConvertible {
  /// What happened, in words.
  public var description: String {
    if isEmpty { return "there was no promise to wait for" }
    let cancelled = reasons.count - errors.count
    let errors = errors.map { "\($0)" }.joined(separator: "; ")
    return
      "none of \(reasons.count) promises was fulfilled: \(errors)\(cancelled == 0 ? "" : "; \(cancelled) cancelled")"
  }
}
