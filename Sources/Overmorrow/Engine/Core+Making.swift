/// How cores come to be, each with its first counts.
extension PromiseHandle {
  /// A core that is resolved from the start. The caller offers it a note, and writes the payload, before anybody else sees
  /// the handle.
  @usableFromInline
  static func makeResolved(
    _ outcome: Outcome, words: Int, traits: Traits, operations: consuming @escaping Operations
  ) -> PromiseHandle {
    let handle = make(
      state: .closed(outcome), words: words, count: 1, traits: traits, place: .immediate, operations: operations)
    if Attention.isAny { handle.awaitNote() }
    return handle
  }

  /// A core that a producer will resolve, and has claimed: counted for the handle, and for the producer. The caller offers
  /// it a note before anybody else sees it.
  @usableFromInline
  static func makeWithProducer(
    words: Int, traits: Traits, operations: consuming @escaping Operations
  ) -> (PromiseHandle, Producer) {
    let handle = make(
      state: .empty(.claimed), words: words, count: 2, traits: traits.union([.takesPart, .hasHandlers, .produced]),
      place: .immediate,
      operations: operations)
    if Attention.isAny {
      handle.awaitNote()
      return (handle, WatchedProducer(handle.core))
    }
    return (handle, Producer(handle.core))
  }

  /// A core that runs a step: counted for the handle, and for being unresolved. The caller writes the callback into
  /// the payload, then registers it.
  @usableFromInline
  static func makeStep(
    words: Int, traits: Traits, on context: PromiseContext, gate: Gate?, operations: consuming @escaping Operations
  ) -> PromiseHandle {
    var traits = traits
    if case .nowOr = context { traits.insert(.nowOr) }
    let handle = make(
      state: .empty(.pending), words: words, count: 2, traits: traits, place: Place(context), operations: operations)
    if let gate {
      // Unsafe: nobody else has seen the core.
      unsafe handle.core.pointer.pointee.gate = gate
    }
    return handle
  }
}
