/// Something that a program may have any number of at a time.
struct Growth: Sendable {
  let name: String
  /// Whether it stays as long as it is not ended, so that its bytes can be counted.
  let isKept: Bool
  /// Few are made and ended again and again in a round, until that have been so many.
  let atLeast: Int
  /// Makes so many, which are pending then, and returns what ends them all, and fails if they have not delivered.
  let begin: @Sendable (_ count: Int) -> () -> Void

  init(
    _ name: String, isKept: Bool = true, atLeast: Int = 20_000,
    begin: @escaping @Sendable (_ count: Int) -> () -> Void
  ) {
    self.name = name
    self.isKept = isKept
    self.atLeast = atLeast
    self.begin = begin
  }
}

/// What one of so many costs.
struct GrowthCost: Codable {
  let count: Int
  /// To make it and to end it, in time of the processor.
  let nanoseconds: Double
  /// While it is pending, with what the benchmark holds it by.
  let bytes: Double?
}
