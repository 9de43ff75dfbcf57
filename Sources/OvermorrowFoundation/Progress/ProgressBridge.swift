internal import Foundation
internal import Overmorrow
internal import OvermorrowEngine

/// The `Progress` of a task, created when it is first read.
final class ProgressBridge: Sendable {
  private let progress = Guarded<Progress?>(nil)

  /// Returns the only `Progress`, and whether this call has created it.
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
