/// An error with which this module itself rejects a promise.
public enum PromiseError: Error {
  /// The object that the callbacks of a chain receive has been released.
  case contextDeallocated
  /// The reason for a failure is not known, for example because a key has neither a value nor an error.
  case unknownReason
}

/// An error that contains several errors.
public struct ErrorArray: Error, CustomStringConvertible {
  /// The errors.
  public let errors: [any Error]

  /// Creates an error that contains several errors.
  public init(errors: [any Error]) { self.errors = errors }

  /// A description of the errors.
  public var description: String { "\(errors)" }
}

/// An error that contains several errors by key.
public struct ErrorDictionary<Key: Hashable>: Error, CustomStringConvertible {
  // An error must be `Sendable`, but old code does not declare whether its key types are `Sendable`.
  private let kept: Kept<[Key: any Error]>

  /// The errors by key.
  public var errors: [Key: any Error] { kept.value }

  /// Creates an error that contains several errors.
  public init(errors: [Key: any Error]) { kept = Kept(errors) }

  /// A description of the errors.
  public var description: String { "\(errors)" }
}
