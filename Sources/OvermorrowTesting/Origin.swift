internal import Overmorrow

#if os(Linux) && canImport(Runtime)
  internal import Runtime
#endif

/// Finds out where in the test's code a promise was made.
///
/// The calls on the stack are noted when the promise is made, and looked up in the debugging information when something
/// is wrong with it. So no function of the library needs to be told where it was called.
enum Origin {
  /// The file and the line outside of this library from which the code that asks was called.
  static let locate: @Sendable () -> PromiseOrigin = {
    #if os(Linux) && canImport(Runtime)
      guard let calls = try? Backtrace.capture(limit: 24, top: 0) else { return { nil } }
      return { place(of: calls) }
    #else
      return { nil }
    #endif
  }

  #if os(Linux) && canImport(Runtime)
    private static func place(of calls: Backtrace) -> String? {
      for frame in calls.symbolicated()?.frames ?? [] {
        guard let symbol = frame.symbol, let place = symbol.sourceLocation, place.line > 0 else { continue }
        // What the compiler calls the functions of the modules `Overmorrow` and `OvermorrowTesting`.
        if symbol.rawName.hasPrefix("$s10Overmorrow") || symbol.rawName.hasPrefix("$s17OvermorrowTesting") { continue }
        return "\(place.path.split(separator: "/").last ?? ""):\(place.line)"
      }
      return nil
    }
  #endif
}
