/// How a chain fails that is bound to an object.
public enum PromiseOwnerError: Error, Hashable {
  /// The object was gone when a callback was to run.
  case contextDeallocated
}

extension PromiseOwnerError: CustomStringConvertible {
  /// What happened, in words.
  public var description: String { "the owner of the promise is gone" }
}
