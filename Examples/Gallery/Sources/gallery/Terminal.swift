import Foundation

/// The output of the program.
///
/// The result is written to the standard output. Progress and errors are written to the standard error, so that either
/// can be redirected.
enum Terminal {
  /// Whether the standard error is a terminal on which a line can be redrawn.
  static var isInteractive: Bool {
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// Lets the program continue when its output is no longer read, as after `gallery 2>&1 | head -1`.
  static func ignoreBrokenPipes() {
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
