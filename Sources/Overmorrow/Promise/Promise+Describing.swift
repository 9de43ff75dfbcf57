internal import OvermorrowDiagnostics
internal import OvermorrowEngine

extension Promise: CustomDebugStringConvertible {
  /// The description of the promise. For an unresolved promise, the description includes what is known about the
  /// promise, such as "made at Weather/Loader.swift:31" and "waits for its resolver".
  ///
  /// The place where a promise was made is known only if the promise is watched: see <doc:NeverResolves>.
  public var debugDescription: String {
    if result != nil { return description }
    let situation = withExtendedLifetime(handle) { handle.core.situation }
    return "Promise<\(Value.self), \(Failure.self)>(\(situation))"
  }
}

extension Promise.Resolver: CustomDebugStringConvertible {
  /// The types of the promise, and "resolved" or, for an unresolved promise, what is known about the promise.
  public var debugDescription: String {
    let situation = object.withCore { $0.state.isResolved ? nil : $0.situation } ?? nil
    return "Promise<\(Value.self), \(Failure.self)>.Resolver(\(situation ?? "resolved"))"
  }
}

extension PromiseDiagnostics {
  /// Lists a pending promise and the promises that it waits for, directly or indirectly.
  ///
  /// This is the part of ``pending()`` that explains why the promise does not resolve. The list is empty if the promise
  /// is resolved or not watched.
  ///
  /// - Parameter promise: The promise to explain. This call does not affect the promise.
  public static func pending<Value, Failure>(upstreamOf promise: Promise<Value, Failure>) -> PendingPromises {
    withExtendedLifetime(promise.handle) {
      PendingPromises.snapshot(upstreamOf: CoreNote.find(promise.handle.core).map { [Int($0.number)] } ?? [])
    }
  }
}
