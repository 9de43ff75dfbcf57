/// A vector clock: how much of each thread's history a thread knows. The first component belongs to the thread that
/// starts the program.
typealias Clock = SIMD4<Int32>

extension Clock {
  mutating func join(_ other: Clock) { self = pointwiseMax(self, other) }
}
