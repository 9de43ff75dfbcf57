/// A kind of object of which a program may have any number at a time.
struct Growth: Sendable {
  let name: String
  /// Whether the objects exist until they are ended, so that their bytes can be counted.
  let isKept: Bool
  /// The minimum number of objects per round: a smaller group is made and ended repeatedly.
  let atLeast: Int
  /// Makes `count` objects, which are then pending. The closure returned ends them, and fails if they have not
  /// delivered.
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

/// The cost of one object, when there are `count` of them.
struct GrowthCost: Codable {
  let count: Int
  /// The processor time to make and end it.
  let nanoseconds: Double
  /// The bytes while it is pending, including the benchmark's reference to it.
  let bytes: Double?
}
