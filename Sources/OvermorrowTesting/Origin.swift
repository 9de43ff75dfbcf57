internal import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

#if OVERMORROW_SYMBOLS && os(Linux) && canImport(Runtime)
  /// Returns the functions in which an address lies, the innermost function first.
  ///
  /// The linker finds this function in the target `OvermorrowTestingSymbols`, as the core does in its `Symbols`.
  // Sound: the two declarations have the same type, of types of the standard library and the engine.
  @_silgen_name("overmorrow_symbol_frames") private func readSymbols(of returnAddress: UInt) -> [SymbolFrame]
#endif

/// Finds the place in the test's code where a promise was made.
///
/// The stack is captured when the promise is made, and symbolicated when a problem with the promise is reported.
/// Because of the stack, no function of the library needs a parameter for the place of its call.
enum Origin {
  /// A closure that captures the stack and returns a promise's origin: the file and line of the call into this library.
  /// `nil` if this build cannot find lines.
  static let locate: (@Sendable () -> PromiseOrigin)? = {
    #if OVERMORROW_SYMBOLS && os(Linux) && canImport(Runtime)
      // A release build of the core does not read debug information by itself.
      Symbols.read(with: readSymbols)
    #endif
    if !Symbols.areKnown { return nil }
    return {
      let calls = CallStack.capture()
      return PromiseOrigin { calls.place }
    }
  }()
}
