import Foundation

/// What a run comes to.
package struct Summary: Sendable {
  /// How it went with each picture, in the order of the list.
  package let outcomes: [Outcome]

  /// The contact sheet.
  package let sheet: URL

  /// How long it took.
  package let time: Duration

  /// How many pictures are on the sheet.
  package var loaded: Int { outcomes.count - failures.count }

  /// How many pictures took more than one attempt, whether they came in the end or not.
  package var retried: Int { outcomes.count { $0.attempts > 1 } }

  /// The pictures that are missing on the sheet.
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
