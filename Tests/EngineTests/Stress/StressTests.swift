import Testing

/// Tests that take a processor or two: one after the other, so that the races among them are real.
@Suite(.serialized, .heavy) struct StressTests {}

/// How many links a chain has. Deep enough under a sanitizer, too, to overflow any stack.
let manyLinks = isSanitized ? 50_000 : 100_000

/// How many links a chain has where the library promises a million of them.
let aMillion = isSanitized ? 50_000 : 1_000_000
