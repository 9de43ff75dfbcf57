internal import Foundation

extension URL {
  /// The file that this URL leads to through symbolic links, even if that file does not exist.
  var followingLinks: URL {
    var url = self
    // Linux follows at most 40 links.
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) else { break }
      url = URL(fileURLWithPath: next, relativeTo: url.deletingLastPathComponent()).absoluteURL
    }
    return url
  }

  /// Renames this file so that it replaces another file. At each moment, the old or the new file exists under the name
  /// of the old file.
  ///
  /// `FileManager` has no function that guarantees this replacement. On Linux, `replaceItemAt` has been observed to
  /// remove the old file without moving the new file into its place.
  func replace(_ old: URL) throws {
    // Unsafe: the paths live until the call returns.
    if unsafe rename(path, old.path) != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }
}
