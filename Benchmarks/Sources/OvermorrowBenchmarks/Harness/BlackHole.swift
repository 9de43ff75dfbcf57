/// Takes a value in a way that the optimiser can't see through, so that what made the value has to happen.
@inline(never) @_optimize(none)
func blackHole(_ value: Int) {}

/// The same for a reference, or a structure around one: it is borrowed, so this costs no reference count.
@inline(never) @_optimize(none)
func blackHole<T>(_ value: borrowing T) {}

/// Ends the program when a row did not compute what it should have.
///
/// Rows call it in their first round only: the difference between two counts does not contain it.
@inline(never)
func expect(_ condition: Bool, _ row: Row) {
  precondition(condition, "row \(row) did not deliver what it should have")
}
