@testable import Overmorrow

/// The most that was ever seen.
final class Most: Sendable {
  private let seen = Guarded(0)

  var value: Int { seen.withLock { $0 } }

  func see(_ count: Int) { seen.withLock { $0 = max($0, count) } }
}
