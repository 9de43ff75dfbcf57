/// How much of each thread a thread knows: what happened before. The first component is that of the program's beginning.
typealias Clock = SIMD4<Int32>

extension Clock {
  mutating func join(_ other: Clock) { self = pointwiseMax(self, other) }
}
