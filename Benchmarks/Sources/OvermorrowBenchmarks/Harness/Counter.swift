/// Counts work that runs on one thread at a time.
final class Counter: Sendable {
  // Used by one thread at a time, which the owner of the counter ensures.
  nonisolated(unsafe) var value = 0
}

/// Stops the program if an operation did not deliver the expected result.
@inline(never)
func expect(_ condition: Bool, _ name: String) {
  precondition(condition, "\(name): did not deliver the expected result")
}
