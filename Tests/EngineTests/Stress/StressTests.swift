import Testing

/// Tests that take a processor or two: one after the other, so that the races among them are real.
@Suite(.serialized, .heavy) struct StressTests {}

/// How many links a chain has.
let manyLinks = scaled(100_000)

/// How many links a chain has where the library promises a million of them.
let mostLinks = scaled(1_000_000)
