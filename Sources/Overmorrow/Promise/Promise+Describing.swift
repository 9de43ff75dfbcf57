extension Promise: CustomDebugStringConvertible {
  /// The description; of an unresolved promise with what is known of it, as "made at Weather/Loader.swift:31" and
  /// "waits for its resolver".
  ///
  /// The place is known while promises are watched: see <doc:NeverResolves>.
  public var debugDescription: String {
    if result != nil { return description }
    let situation = withExtendedLifetime(handle) { handle.core.situation }
    return "Promise<\(Value.self), \(Failure.self)>(\(situation))"
  }
}

extension Promise.Resolver: CustomDebugStringConvertible {
  /// The types, and what is known of the promise, unless that has its result.
  public var debugDescription: String {
    let situation = producer.withCore { $0.state.isResolved ? nil : $0.situation } ?? nil
    return "Promise<\(Value.self), \(Failure.self)>.Resolver(\(situation ?? "resolved"))"
  }
}

extension PromiseDiagnostics {
  /// A promise, if it is pending, and what it waits for, directly or through others.
  ///
  /// The part of ``pending()`` that answers why this promise does not resolve, however many others are pending. It is
  /// empty if the promise is not watched.
  ///
  /// - Parameter promise: Not changed by this.
  public static func pending<Value, Failure>(upstreamOf promise: Promise<Value, Failure>) -> PendingPromises {
    withExtendedLifetime(promise.handle) {
      PendingPromises.taken(upstreamOf: CoreNote.find(promise.handle.core).map { [Int($0.number)] } ?? [])
    }
  }
}
