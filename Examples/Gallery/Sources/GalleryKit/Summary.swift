import Foundation

/// The result of a run.
package struct Summary: Sendable {
  /// The outcome of each picture, in the order of the list.
  package let outcomes: [Outcome]

  /// The URL of the contact sheet.
  package let sheet: URL

  /// The duration of the run.
  package let time: Duration

  /// The number of pictures on the sheet.
  package var loaded: Int { outcomes.count - failures.count }

  /// The number of pictures that took more than one attempt, whether they were loaded or not.
  package var retried: Int { outcomes.count { $0.attempts > 1 } }

  /// The outcomes of the pictures that are missing on the sheet.
  package var failures: [Outcome] { outcomes.filter { $0.failure != nil } }
}

extension Summary: CustomStringConvertible {
  package var description: String {
    """
    Loaded   \(loaded) of \(outcomes.count)
    Retried  \(retried)
    Failed   \(failures.count)
    Time     \(time.inSeconds)
    Sheet    \(sheet.path)
    """
  }
}
