public import OvermorrowEngine

extension PromiseHandle {
  /// Makes a core that runs a step on a context.
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

extension CoreState {
  /// Makes a sealed core that runs a step on a context and has no handle.
  // Inlinable, so that a step on `.immediate` is made by one call.
  @inlinable
  @inline(__always)
  static func makeSealed(
    words: Int, traits: Traits, on context: PromiseContext, operations: consuming @escaping Operations
  ) -> CoreRef {
    if context.isImmediate { return makeImmediateSealed(words: words, traits: traits, operations: operations) }
    return makeSealed(words: words, traits: traits, elsewhere: context, operations: operations)
  }

  @usableFromInline
  static func makeSealed(
    words: Int, traits: Traits, elsewhere context: PromiseContext, operations: consuming @escaping Operations
  ) -> CoreRef {
    makeSealed(words: words, traits: traits.on(context), at: Place(context), operations: operations)
  }
}

extension CoreOperations {
  /// Makes a step on a context, which the caller then registers.
  @inlinable
  @inline(__always)
  static func makeStep(on context: PromiseContext, _ callback: Callback) -> PromiseHandle {
    makeStep(on: context) { _ in callback }
  }

  /// Makes a step on a context with a callback that is made from the address of the step's promise.
  @inlinable
  @inline(__always)
  static func makeStep(
    on context: PromiseContext, makingCallback callback: (_ address: UInt) -> Callback
  ) -> PromiseHandle {
    makeStep(callback) { PromiseHandle.makeStep(words: $0, traits: $1, on: context, operations: $2) }
  }

  /// Makes a step on a context that has no handle. The caller then registers the step.
  @inlinable
  @inline(__always)
  static func makeReporting(on context: PromiseContext, _ callback: Callback) -> CoreRef {
    makeReporting(callback) { CoreState.makeSealed(words: $0, traits: $1, on: context, operations: $2) }
  }
}

extension Traits {
  /// Returns these traits, together with the additional trait of a step on this context.
  fileprivate func on(_ context: PromiseContext) -> Traits {
    if case .nowOr = context { union(.nowOr) } else { self }
  }
}
