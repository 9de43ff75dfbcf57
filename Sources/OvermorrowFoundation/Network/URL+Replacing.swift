internal import Foundation

extension URL {
  /// The file that this URL leads to through symbolic links, even if that file does not exist.
  var followingLinks: URL {
    var url = self
    // 40 links, the limit of Linux.
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) else { break }
      url = URL(fileURLWithPath: next, relativeTo: url.deletingLastPathComponent()).absoluteURL
    }
    return url
  }

  /// Renames this file so that it replaces another one. At each moment, one of the two exists under that name.
  ///
  /// `FileManager` has no such call: `replaceItemAt` on Linux has been observed to remove the old file without moving
  /// the new one into its place.
  func replace(_ old: URL) throws {
    // Unsafe: the paths live until the call returns.
    if unsafe rename(path, old.path) != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }
}
