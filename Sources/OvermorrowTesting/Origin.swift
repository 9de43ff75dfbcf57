internal import Overmorrow

#if os(Linux) && canImport(Runtime)
  internal import Runtime
#endif

/// Finds out where in the test's code a promise was made.
///
/// The calls on the stack are noted when the promise is made, and looked up in the debugging information when something
/// is wrong with it. So no function of the library needs to be told where it was called.
enum Origin {
  /// The file and line outside of this library from which the calling code was called.
  #if os(Linux) && canImport(Runtime)
    static let locate: (@Sendable () -> PromiseOrigin)? = {
      let calls = try? Backtrace.capture(limit: callsNoted, top: 0, images: images)
      return PromiseOrigin { calls.flatMap(place) }
    }

    /// Enough to leave the library, and not more: the calls are found by their frame pointers, which functions of other
    /// languages further down may lack.
    private static let callsNoted = 18
    /// Looked up once, as that takes longest.
    private static let images = ImageMap.capture()

    private static func place(of calls: Backtrace) -> String? {
      for frame in calls.symbolicated(with: images)?.frames ?? [] {
        guard let symbol = frame.symbol, let place = symbol.sourceLocation, place.line > 0 else { continue }
        // What the compiler calls the functions of the modules `Overmorrow` and `OvermorrowTesting`.
        if symbol.rawName.hasPrefix("$s10Overmorrow") || symbol.rawName.hasPrefix("$s17OvermorrowTesting") { continue }
        return "\(place.path.split(separator: "/").last ?? ""):\(place.line)"
      }
      return nil
    }
  #else
    static let locate: (@Sendable () -> PromiseOrigin)? = nil
  #endif
}
