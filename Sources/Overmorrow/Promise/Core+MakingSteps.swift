extension PromiseHandle {
  /// Makes a core that runs a step on a context. The caller writes the callback into the payload, and then registers
  /// the core.
  // Inlinable, so that a step on `.immediate` is made by one call.
  @inlinable
  @inline(__always)
  static func makeStep(
    words: Int, traits: Traits, on context: PromiseContext, operations: consuming @escaping Operations
  ) -> PromiseHandle {
    if context.isImmediate { return makeImmediateStep(words: words, traits: traits, operations: operations) }
    return makeStep(words: words, traits: traits, elsewhere: context, operations: operations)
  }

  @usableFromInline
  static func makeStep(
    words: Int, traits: Traits, elsewhere context: PromiseContext, operations: consuming @escaping Operations
  ) -> PromiseHandle {
    makeStep(words: words, traits: traits.on(context), at: Place(context), operations: operations)
  }
}

extension CoreRef {
  /// Makes a core that runs a step on a context and has no handle. The caller writes the callback into the payload, and
  /// then registers the core.
  ///
  /// - Parameter isKept: Whether the core has a count for the caller.
  // Inlinable, so that a step on `.immediate` is made by one call.
  @inlinable
  @inline(__always)
  static func makeReporting(
    words: Int, traits: Traits, on context: PromiseContext, isKept: Bool, operations: consuming @escaping Operations
  ) -> CoreRef {
    if context.isImmediate {
      return makeImmediateReporting(words: words, traits: traits, isKept: isKept, operations: operations)
    }
    return makeReporting(
      words: words, traits: traits, elsewhere: context, isKept: isKept, operations: operations)
  }

  @usableFromInline
  static func makeReporting(
    words: Int, traits: Traits, elsewhere context: PromiseContext, isKept: Bool,
    operations: consuming @escaping Operations
  ) -> CoreRef {
    makeReporting(
      words: words, traits: traits.on(context), at: Place(context), isKept: isKept, operations: operations)
  }
}

extension Traits {
  /// Returns these traits, together with the additional trait of a step on this context.
  fileprivate func on(_ context: PromiseContext) -> Traits {
    if case .nowOr = context { union(.nowOr) } else { self }
  }
}
