/// Why a promise is rejected by this module itself.
public enum PromiseError: Error {
  /// The object that the callbacks of a chain were to get has gone.
  case contextDeallocated
  /// There is no telling.
  case unknownReason
}

/// Several errors.
public struct ErrorArray: Error, CustomStringConvertible {
  /// The errors.
  public let errors: [any Error]

  /// Several errors as one.
  public init(errors: [any Error]) { self.errors = errors }

  /// The errors in words.
  public var description: String { "\(errors)" }
}

/// Several errors by key.
public struct ErrorDictionary<Key: Hashable>: Error, CustomStringConvertible {
  // An error may be used anywhere, whatever its keys are: old code does not say whether they are Sendable.
  private let kept: Kept<[Key: any Error]>

  /// The errors by key.
  public var errors: [Key: any Error] { kept.value }

  /// Several errors as one.
  public init(errors: [Key: any Error]) { kept = Kept(errors) }

  /// The errors in words.
  public var description: String { "\(errors)" }
}
