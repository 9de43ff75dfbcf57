/// The error of a combinator if no input was fulfilled.
public struct PromiseAggregateError<Failure: Sendable>: Error {
  /// The error of each input, in the order of the inputs; `nil` for an input that was cancelled.
  public let reasons: [Failure?]
  /// The indices of the inputs, in the order in which the inputs finished.
  public let finishingOrder: [Int]

  /// Creates an error from the reasons of all inputs.
  ///
  /// - Parameters:
  ///   - reasons: The error of each input; `nil` for an input that was cancelled.
  ///   - finishingOrder: The indices of the inputs, in the order in which the inputs finished. By default, the order of
  ///     the inputs.
  public init(reasons: [Failure?], finishingOrder: [Int]? = nil) {
    self.reasons = reasons
    self.finishingOrder = finishingOrder ?? Array(reasons.indices)
  }

  /// The errors of the rejected inputs, in the order of the inputs.
  public var errors: [Failure] { reasons.compactMap { $0 } }

  /// Whether the combinator had no inputs.
  public var isEmpty: Bool { reasons.isEmpty }
}

extension PromiseAggregateError: Equatable where Failure: Equatable {}
extension PromiseAggregateError: Hashable where Failure: Hashable {}

extension PromiseAggregateError: CustomStringConvertible {
  /// A description of why no input was fulfilled.
  public var description: String {
    if isEmpty { return "there was no promise to wait for" }
    let cancelled = reasons.count - errors.count
    let errors = errors.map { "\($0)" }.joined(separator: "; ")
    return
      "none of \(reasons.count) promises was fulfilled: \(errors)\(cancelled == 0 ? "" : "; \(cancelled) cancelled")"
  }
}
