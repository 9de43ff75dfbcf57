/// Consumes a value so that the optimiser cannot remove the code that computed it.
@inline(never) @_optimize(none)
func blackHole(_ value: Int) {}

/// Consumes a reference, or a structure that contains one. The argument is borrowed, so that no reference counting is
/// added.
@inline(never) @_optimize(none)
func blackHole<T>(_ value: borrowing T) {}

/// Stops the program if a row did not compute the expected result.
///
/// Rows call it only in their first round, so that the difference between two counts does not contain it.
@inline(never)
func expect(_ condition: Bool, _ row: Row) {
  precondition(condition, "row \(row) did not deliver the expected result")
}
