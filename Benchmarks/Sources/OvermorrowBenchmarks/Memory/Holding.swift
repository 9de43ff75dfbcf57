/// A kind of object that is made in large numbers, to measure how much the heap grows.
struct Holding {
  /// Makes the objects.
  let make: () -> Void
  /// Ends the objects, and fails if they have not delivered.
  let end: () -> Void

  /// Prepares `count` objects. The memory that the preparation takes is not counted.
  typealias Preparation = (_ count: Int) -> Holding
}

/// The same kind of object in each library.
struct HoldingRow {
  let name: String
  var overmorrow: Holding.Preparation?
  var nio: Holding.Preparation?
  var task: Holding.Preparation?
}

/// An array that reserves its capacity in advance, so that it does not grow while other memory is counted.
final class Shelf<Content> {
  var content: [Content] = []

  init(_ count: Int) { content.reserveCapacity(count) }
}
