internal import Foundation
internal import Overmorrow

/// The `Progress` of a task, once it was asked for.
final class ProgressBridge: Sendable {
  private let progress = Guarded<Progress?>(nil)

  /// The one progress, made by the first call to come through.
  func progress(_ make: () -> Progress) -> (Progress, isNew: Bool) {
    if let progress = progress.withLock({ $0 }) { return (progress, false) }
    let new = make()
    return progress.withLock { progress in
      if let progress { return (progress, false) }
      progress = new
      return (new, true)
    }
  }
}
