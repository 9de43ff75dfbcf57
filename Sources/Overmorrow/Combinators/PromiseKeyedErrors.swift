/// Why none of several promises was fulfilled, by their keys.
public struct PromiseKeyedErrors<Key: Hashable & Sendable, Failure: Sendable>: Error {
  /// The errors of those that were rejected.
  public let reasons: [Key: Failure]
  /// The keys of those that were cancelled.
  public let cancelled: Set<Key>

  /// An error with the reasons of all inputs.
  ///
  /// - Parameters:
  ///   - reasons: The errors of those that were rejected.
  ///   - cancelled: The keys of those that were cancelled.
  public init(reasons: [Key: Failure], cancelled: Set<Key> = []) {
    self.reasons = reasons
    self.cancelled = cancelled
  }

  /// Whether there was no input at all.
  public var isEmpty: Bool { reasons.isEmpty && cancelled.isEmpty }
}

extension PromiseKeyedErrors: Equatable where Failure: Equatable {}
extension PromiseKeyedErrors: Hashable where Failure: Hashable {}

extension PromiseKeyedErrors: CustomStringConvertible {
  /// What happened, in words.
  public var description: String {
    if isEmpty { return "there was no promise to wait for" }
    let reasons = reasons.map { "\($0.key): \($0.value)" }.sorted()
    let cancelled = cancelled.map { "\($0): cancelled" }.sorted()
    return "none of \(reasons.count + cancelled.count) promises was fulfilled: "
      + (reasons + cancelled).joined(separator: "; ")
  }
}
