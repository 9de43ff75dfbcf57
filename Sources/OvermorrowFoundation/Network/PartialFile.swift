internal import Dispatch
internal import Foundation

/// A file that is written beside its destination. When the file is complete, it replaces the destination.
///
/// The file is in the same folder as the file to replace, so that one atomic rename within a volume replaces that file.
/// If the destination is a symbolic link, the file that the link leads to is created or replaced.
final class PartialFile: Sendable {
  private let url: URL
  private let destination: URL
  /// The file to replace: the destination after following symbolic links.
  private let target: URL
  private let handle: FileHandle

  init(for destination: URL) throws(NetworkError) {
    let target = destination.followingLinks
    // The name does not contain the name of the destination, because that name may already have the maximum length.
    url = target.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString).part")
    self.destination = destination
    self.target = target
    do {
      // Throws an error with the reason if the folder is missing or not writable.
      try Data().write(to: url, options: .withoutOverwriting)
      do {
        handle = try FileHandle(forWritingTo: url)
        // Sets the permissions at once, so that the new file has the permissions of the old file even while the new
        // file is written.
        if let permissions = try? FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions] {
          try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: url.path)
        }
      } catch {
        try? FileManager.default.removeItem(at: url)
        throw error
      }
    } catch {
      throw .file(destination, error)
    }
  }

  func append(_ data: Data) throws(NetworkError) {
    do { try handle.write(contentsOf: data) } catch { throw .file(destination, error) }
  }

  /// Moves the file to its destination. If the move fails, removes the file.
  func finish() throws(NetworkError) {
    do {
      try handle.close()
      // A folder is not replaced, because replacing a folder cannot be intended.
      let old = try? FileManager.default.attributesOfItem(atPath: target.path)[.type] as? FileAttributeType
      if old == .typeDirectory { throw CocoaError(.fileWriteFileExists) }
      try url.replace(target)
    } catch {
      discard()
      throw .file(destination, error)
    }
  }

  /// Removes the file, even while another thread writes to it.
  func discard() { try? FileManager.default.removeItem(at: url) }

  // Closing a removed file frees its content. For a large file, closing takes milliseconds, so another queue closes the
  // file.
  deinit {
    DispatchQueue.global(qos: .utility).async { [handle] in try? handle.close() }
  }
}
