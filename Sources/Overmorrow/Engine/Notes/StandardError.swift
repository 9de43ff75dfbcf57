#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Where a program complains.
enum StandardError {
  /// Writes a line, in one piece if the system allows.
  static func print(_ line: String) {
    var text = line + "\n"
    text.withUTF8 { bytes in
      // Unsafe: the bytes are there until this closure returns. What cannot be written is lost, as there is nobody to tell.
      _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }
}
