internal import Overmorrow

#if os(Linux) && canImport(Runtime)
  internal import Runtime
#endif

/// Finds the place in the test's code where a promise was made.
///
/// The stack is captured when the promise is made, and symbolicated when a problem with the promise is reported.
/// Because of the stack, no function of the library needs a parameter for the place of its call.
enum Origin {
  /// A closure that captures the stack and returns a promise's origin: the file and line of the call into this library.
  /// `nil` if the platform has no module `Runtime`.
  #if os(Linux) && canImport(Runtime)
    static let locate: (@Sendable () -> PromiseOrigin)? = {
      let calls = try? Backtrace.capture(limit: frameLimit, top: 0, images: images)
      return PromiseOrigin { calls.flatMap(place) }
    }

    /// The number of frames to capture. This number of frames is enough to reach the caller of the library. The number
    /// is not larger, because frames are found through frame pointers. Functions of other languages further up the
    /// stack may have no frame pointers.
    private static let frameLimit = 18
    /// The loaded images. The images are captured once, because capturing the images takes longer than capturing a
    /// stack.
    private static let images = ImageMap.capture()
    /// The prefixes of the mangled names of functions of `Overmorrow`, the engine and this module.
    private static let ownPrefixes = ["$s10Overmorrow", "$s16OvermorrowEngine", "$s17OvermorrowTesting"]

    private static func place(of calls: Backtrace) -> String? {
      for frame in calls.symbolicated(with: images)?.frames ?? [] {
        guard let symbol = frame.symbol, let place = symbol.sourceLocation, place.line > 0 else { continue }
        if ownPrefixes.contains(where: symbol.rawName.hasPrefix) { continue }
        return "\(place.path.split(separator: "/").last ?? ""):\(place.line)"
      }
      return nil
    }
  #else
    static let locate: (@Sendable () -> PromiseOrigin)? = nil
  #endif
}
