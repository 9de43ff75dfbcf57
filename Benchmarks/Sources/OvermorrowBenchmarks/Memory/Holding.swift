/// What is made in large numbers, to count what the heap has more then.
struct Holding {
  /// Makes so many.
  let make: () -> Void
  /// Ends them, and fails if they have not delivered.
  let end: () -> Void

  /// Does what comes before: what it puts on the heap does not count.
  typealias Preparation = (_ count: Int) -> Holding
}

/// The same thing, as each has it.
struct HoldingRow {
  let name: String
  var overmorrow: Holding.Preparation?
  var nio: Holding.Preparation?
  var task: Holding.Preparation?
}

/// An array that has room for so many from the beginning, so that it does not grow while others are counted.
final class Shelf<Content> {
  var content: [Content] = []

  init(_ count: Int) { content.reserveCapacity(count) }
}
