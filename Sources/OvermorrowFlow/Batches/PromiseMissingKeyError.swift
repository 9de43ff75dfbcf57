/// The error of a key for which a batch has loaded no value.
public struct PromiseMissingKeyError<Key: Hashable & Sendable>: Error, Hashable, CustomStringConvertible {
  /// The key.
  public let key: Key

  /// Creates the error of a key.
  ///
  /// - Parameter key: The key.
  public init(key: Key) { self.key = key }

  /// A description that contains the key.
  public var description: String { "the loaded batch has no value for the key \(key)" }
}
