internal import Foundation

extension URL {
  /// What this leads to, if it is a symbolic link to something, even to what is not there.
  var followingLinks: URL {
    var url = self
    // As many as Linux follows.
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) else { break }
      url = URL(fileURLWithPath: next, relativeTo: url.deletingLastPathComponent()).absoluteURL
    }
    return url
  }

  /// Gives a file the name of another one, in place of that: at each moment one of them is there.
  ///
  /// `FileManager` has no such call: on Linux its `replaceItemAt` has been seen to put nothing in the place of what it
  /// removes.
  func replace(_ old: URL) throws {
    // Unsafe: the paths live during the call.
    if unsafe rename(path, old.path) != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }
}
