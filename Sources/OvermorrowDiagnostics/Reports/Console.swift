internal import OvermorrowEngine

#if canImport(os)
  internal import os
#endif

/// The destination of printed mistakes.
enum Console {
  #if canImport(os)
    private static let log = Logger(subsystem: "Overmorrow", category: "mistakes")

    static func print(_ line: String) { log.fault("\(line, privacy: .public)") }
  #else
    static func print(_ line: String) { System.printToStandardError(line) }
  #endif
}
