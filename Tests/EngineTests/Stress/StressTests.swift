import Testing

/// Tests that occupy one or two processors. They are serialized, so that their threads really run in parallel.
@Suite(.serialized, .heavy) struct StressTests {}

/// The number of links in a chain.
let manyLinks = scaled(100_000)

/// The number of links in a chain for which the library promises a million.
let mostLinks = scaled(1_000_000)
