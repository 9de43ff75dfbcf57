/// Counts what has run on one thread at a time.
final class Counter: Sendable {
  // Touched by one thread at a time, as whoever has one sees to.
  nonisolated(unsafe) var value = 0
}

/// Ends the program when something did not deliver what it should have.
@inline(never)
func expect(_ condition: Bool, _ name: String) {
  precondition(condition, "\(name): did not deliver what it should have")
}
