import Foundation

/// What the program says, and where.
///
/// The result goes to the standard output; how it goes on, and what goes wrong, to the standard error, so that
/// either can be sent somewhere else.
enum Terminal {
  /// Whether the standard error is a terminal that can draw a line over.
  static var isInteractive: Bool {
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// Lets the program go on when nobody reads what it says any more, as after `gallery 2>&1 | head -1`.
  static func outliveReaders() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Writes to the standard output.
  static func write(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  /// Writes to the standard error.
  static func writeError(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
