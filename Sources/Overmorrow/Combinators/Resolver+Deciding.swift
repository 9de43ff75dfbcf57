internal import OvermorrowDiagnostics
internal import OvermorrowEngine

extension Promise.Resolver {
  /// Resolves the promise of a combinator with the decision of an input. Only one caller may pass a failure.
  ///
  /// - Parameter failure: The failure of the input, which the promise takes over; `nil` if it is not known.
  func resolve(with decision: PromiseResult<Value, Failure>, of failure: RecordedFailure?) {
    guard let failure else { return resolve(with: decision) }
    if let key = failure.record, case .error(let error) = decision, failure.isOf(error) {
      _ = object.withCore { $0.follow(record: key) }
    }
    failure.handle { resolve(with: decision) }
  }
}
