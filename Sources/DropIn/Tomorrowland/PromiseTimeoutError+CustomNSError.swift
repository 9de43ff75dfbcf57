public import Foundation
import Overmorrow

extension PromiseTimeoutError: CustomNSError {
  /// A description of the error, and the error that the promise was rejected with.
  public var errorUserInfo: [String: Any] {
    switch self {
    case .timedOut: [NSLocalizedDescriptionKey: "The operation timed out."]
    case .rejected(let error as any Swift.Error):
      [NSLocalizedDescriptionKey: error.localizedDescription, NSUnderlyingErrorKey: error]
    case .rejected(let error): [NSLocalizedDescriptionKey: "\(error)"]
    }
  }
}
