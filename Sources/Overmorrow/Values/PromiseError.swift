internal import OvermorrowDiagnostics

/// An error with which the library itself rejects a promise.
public enum PromiseError: Error, Hashable {
  /// A callback that ``Promise/Resolver/completionHandler(isCancellation:)`` has returned was called with neither a
  /// value nor an error.
  case callbackWithoutResult
  /// The owner of a ``BoundPromise`` no longer existed when a callback was to run.
  case ownerDeallocated
}

extension PromiseError: CustomStringConvertible {
  /// A description of what happened.
  public var description: String {
    switch self {
    case .callbackWithoutResult: "the callback was called with neither a value nor an error"
    case .ownerDeallocated: "the owner of the promise was deallocated"
    }
  }
}

extension PromiseError: DiscardableError {
  package var isDiscardable: Bool { self == .ownerDeallocated }
}
