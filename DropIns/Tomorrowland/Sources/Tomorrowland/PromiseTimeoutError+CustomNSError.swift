public import Foundation
import Overmorrow

// Only Tomorrowland's users expect this conformance.
// swift-format-ignore: AvoidRetroactiveConformances
extension PromiseTimeoutError: @retroactive CustomNSError {
  /// The description of this error. For `rejected`, the dictionary also contains the wrapped error if that error
  /// conforms to `Error`.
  public var errorUserInfo: [String: Any] {
    switch self {
    case .timedOut: [NSLocalizedDescriptionKey: "The operation timed out."]
    case .rejected(let error as any Swift.Error):
      [NSLocalizedDescriptionKey: error.localizedDescription, NSUnderlyingErrorKey: error]
    case .rejected(let error): [NSLocalizedDescriptionKey: "\(error)"]
    }
  }
}
