/// An error with which this module itself rejects a promise.
public enum PromiseError: Error {
  /// The object that the callbacks of a chain receive has been released.
  case contextDeallocated
  /// The reason is not known, for example because a key has neither a value nor an error.
  case unknownReason
}

/// Several errors.
public struct ErrorArray: Error, CustomStringConvertible {
  /// The errors.
  public let errors: [any Error]

  /// Several errors as one.
  public init(errors: [any Error]) { self.errors = errors }

  /// A description of the errors.
  public var description: String { "\(errors)" }
}

/// Several errors by key.
public struct ErrorDictionary<Key: Hashable>: Error, CustomStringConvertible {
  // An error must be `Sendable`, whatever its keys are, and old code does not say whether they are.
  private let kept: Kept<[Key: any Error]>

  /// The errors by key.
  public var errors: [Key: any Error] { kept.value }

  /// Several errors as one.
  public init(errors: [Key: any Error]) { kept = Kept(errors) }

  /// A description of the errors.
  public var description: String { "\(errors)" }
}
